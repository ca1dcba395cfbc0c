import { ALL_KEYS } from "@grove/db";
import { afterAll, expect, it, vi } from "vitest";
import { connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { useSecondInstance } from "../../testing/instance";
import { stockClient, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

// Two instances on one PostgreSQL. The device and the caller are connected to the first.
const first = await useTestServer();
const second = await useSecondInstance(first);
const ada = await first.signUp("Ada");
const { organizationId } = ada;
const onSecond = stockClient(second.url, ada.token);
const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
  organizationId,
  name: "a",
  platform: "linux",
});
const device = connectDevice(first.url, apiKey);
await untilStatus(onSecond, organizationId, deviceId, "online");
afterAll(() => device.disconnect());

/** The announcements of commands, as `<id> <status>`. */
const announced: string[] = [];
second.database.notifier.subscribe("command_changed", ALL_KEYS, (event) => {
  if (event.kind === "notification") announced.push(`${event.key} ${event.detail}`);
});
const announcedOf = (id: string) =>
  announced.filter((line) => line.startsWith(id)).map((line) => line.split(" ")[1]);

/** A command that the device has and its caller waits for. */
async function submit() {
  const seen = device.events.length;
  const answer = ada.client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
  });
  const { id } = await device.event("command", (event) => device.events.indexOf(event) >= seen);
  return { id, answer };
}
const end = (id: string, { client } = device as Pick<TestDevice, "client">) =>
  client.agent.complete.mutate({ id, journalId: device.journalId, result: { projects: [] } });
const toSecond = { client: stockClient(second.url, apiKey) };

/** Resolves when the second instance has made its first read for a call that waits. */
async function wait(id: string) {
  const reads = reading.mock.calls.length;
  const answer = onSecond.agent.getCommand.query({ organizationId, id, waitMs: 55_000 });
  await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(reads + 1);
  return { answer };
}
const reading = vi.spyOn(second.services.dispatch, "read");

// Each of these waits for the announcement: without one the answer would come from the fallback poll.
it("notifies a waiter on another instance", async () => {
  const { id, answer } = await submit();
  const { answer: elsewhere } = await wait(id);
  await end(id);
  await expect.poll(() => announcedOf(id)).toEqual(["succeeded"]);
  for (const command of [await answer, await elsewhere])
    expect(command).toMatchObject({ id, status: "succeeded", result: { projects: [] } });
});

it("notifies a watcher on another instance, also of progress", async () => {
  const { id, answer } = await submit();
  const watched = watch<{ type: string }>((handlers) =>
    onSecond.agent.watchCommand.subscribe({ organizationId, id }, handlers),
  );
  await device.client.agent.progress.mutate({ id, journalId: device.journalId, message: "half" });
  await expect.poll(() => announcedOf(id)).toEqual(["running"]);
  await watched.event(({ type }) => type === "progress");
  await end(id);
  await expect.poll(() => announcedOf(id)).toEqual(["running", "succeeded"]);
  await watched.event(({ type }) => type === "settled");
  await answer;
});

it("notifies the caller when the end is reported to another process", async () => {
  const { id, answer } = await submit();
  await end(id, toSecond);
  await expect.poll(() => announcedOf(id)).toEqual(["succeeded"]);
  expect(await answer).toMatchObject({ id, status: "succeeded", result: { projects: [] } });
});

it("announces an end again that its device reports again, since the first announcement may be lost", async () => {
  const { id, answer } = await submit();
  await end(id);
  await answer;
  await expect.poll(() => announcedOf(id)).toEqual(["succeeded"]);
  await end(id);
  await expect.poll(() => announcedOf(id)).toEqual(["succeeded", "succeeded"]);
});

it("gives a waiter an end that was announced just before it subscribed", async () => {
  const { id, answer } = await submit();
  const early = onSecond.agent.getCommand.query({ organizationId, id, waitMs: 55_000 });
  await end(id);
  for (const command of [await answer, await early])
    expect(command).toMatchObject({ id, status: "succeeded" });
});
