import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";

const METRICS_TOKEN = "a token for the metrics";
const journey = useJourney({ METRICS_TOKEN });

/** How many streams the API has open. */
async function openStreams(): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`${journey.api.url}/metrics`, { headers })).text();
  return [...metrics.matchAll(/^grove_streams_open\{.*\} (\d+)$/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

const live = (page: Page) => page.getByText("Live", { exact: true }).waitFor();

it("follows on in two tabs after the API was killed: nothing is missed, and nothing comes twice", async () => {
  const { page: devices, context, client, organizationId } = await someone(journey);
  await devices.getByRole("link", { name: "Devices", exact: true }).click();
  await devices.getByRole("heading", { name: "No machine is connected" }).waitFor();
  // As in a browser without SharedWorker.
  await context.addInitScript("delete globalThis.SharedWorker");
  const tasks = await journey.open(context, new URL(devices.url()).pathname.replace(/devices$/, "tasks"));
  const tabs = [devices, tasks];
  await Promise.all(tabs.map(live));
  const create = (title: string) => client.task.create.mutate({ organizationId, title });
  await create("before");
  await tasks.getByRole("link", { name: "before", exact: true }).waitFor();

  for (const page of tabs) journey.expectMessage(page, /net::ERR_/);
  await journey.api.stop("SIGKILL");
  await Promise.all(tabs.map((page) => page.getByText("Reconnecting since").last().waitFor()));
  await journey.api.start();
  await create("meanwhile");
  await client.device.register.mutate({ organizationId, name: "laptop", platform: "linux" });
  await Promise.all(tabs.map(live));
  await devices.getByRole("row").filter({ hasText: "laptop" }).waitFor();
  await tasks.getByRole("link", { name: "meanwhile", exact: true }).waitFor();
  await create("after");
  await tasks.getByRole("link", { name: "after", exact: true }).waitFor();
  for (const title of ["before", "meanwhile", "after"])
    expect(await tasks.getByRole("link", { name: title, exact: true }).count()).toBe(1);
});

it("has one stream for ten tabs, and each of them shows what happens and has its calls answered", async () => {
  const { page, context, client, organizationId } = await someone(journey);
  const { id } = await client.device.register.mutate({ organizationId, name: "laptop", platform: "linux" });
  await page.getByRole("link", { name: "Devices", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "laptop" }).waitFor();
  const others = [];
  for (let n = 1; n < 10; n++) others.push(await journey.open(context, new URL(page.url()).pathname));
  await Promise.all([page, ...others].map(live));
  expect(await openStreams()).toBe(1);
  await client.device.update.mutate({ organizationId, id, name: "desk" });
  await Promise.all(
    [page, ...others].map((tab) => tab.getByRole("row").filter({ hasText: "desk" }).waitFor()),
  );
  const ms = await page.evaluate<number>(`(async () => {
    const began = performance.now();
    await (await fetch("/api/auth/options")).json();
    return performance.now() - began;
  })()`);
  process.stdout.write(`a call beside ten tabs was answered within ${Math.round(ms)} ms\n`);
  // Without the one stream it would not be answered at all.
  expect(ms).toBeLessThan(1_000);
  for (const tab of others) await tab.close();
  expect(await openStreams()).toBe(1);
  await page.goto(`${journey.api.url}/sign-in`);
  await expect.poll(openStreams).toBe(0);
});
