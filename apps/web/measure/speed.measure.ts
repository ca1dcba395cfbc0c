import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { clickAround } from "../journeys/testing/interactions";
import { useJourney } from "../journeys/testing/journey";
import { addManyLines, openDiff, scrollDiff } from "../journeys/testing/longDiff";
import { median, quantile, report, workOf } from "../journeys/testing/measured";
import { someone } from "../journeys/testing/people";
import { slowDown } from "../journeys/testing/speed";
import { keyToEcho, screen, showTerminal, typeBesideOutput, typeLine } from "../journeys/testing/terminal";
import { dragOverBoard, multiplyTask, timeToCards } from "../journeys/testing/thousandTasks";
import { startWorkbench } from "../journeys/testing/workbench";

// Not run by the suite's workers, so there is no shared API.
const journey = useJourney({});

const ROUNDS = 5;
/** How many of the slowest interactions are listed. */
const WORST = 10;
const sidebarLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: new RegExp(`^${name}`) });

/** Returns the medians of the time and of the main thread's work over some rounds. */
async function rounds(page: Page, prepare: () => Promise<void>, round: () => Promise<number>) {
  const [times, works]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n++) {
    await prepare();
    const worked = await workOf(page);
    const before = await worked();
    times.push(await round());
    works.push((await worked()) - before);
  }
  return { time: median(times), work: median(works) };
}

it("board", async () => {
  const { page, client, organizationId } = await someone(journey);
  await client.task.create.mutate({ organizationId, title: "Fix login" });
  await multiplyTask(journey, organizationId);
  await page.getByRole("heading", { name: "Now" }).waitFor();
  const devices = page.url().replace(/(\/o\/[^/]+).*/, "$1/devices");
  const prepare = async () => {
    await page.goto(devices);
    await page.getByRole("heading", { name: "No devices yet" }).waitFor();
  };
  const screen = await rounds(page, prepare, () => timeToCards(page, 30));
  const { time, work } = await rounds(page, prepare, () => timeToCards(page, 100));
  report(
    { name: "A board of 1 000 tasks opens, until the window is full", value: screen.time, aim: 300 },
    { name: "  until 100 cards are painted", value: time, aim: 300 },
    { name: "  the page's own work in that", value: work, aim: 300 },
    { name: "  longest frame while a card is dragged", value: await dragOverBoard(page), aim: 50 },
  );
  await page.close();
});

it("terminal", async () => {
  const { page, startShell } = await startWorkbench(journey);
  const { id } = await startShell("printf 'hel%s\\n' lo");
  await page.goto(page.url().replace(/(\/o\/[^/]+).*/, `$1/agents/${id}`));
  await expect.poll(() => screen(page)).toContain("hello");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await typeLine(page, "cat");
  const worked = await workOf(page);
  const before = await worked();
  const echoes = await keyToEcho(page, 200);
  const work = (await worked()) - before;
  report(
    { name: "Key to echo, p50", value: median(echoes), aim: 40 },
    { name: "Key to echo, p95", value: quantile(echoes, 0.95), aim: 90 },
    { name: "  the page's own work for each key", value: work / 200, aim: 20 },
  );
  await page.keyboard.press("Control+c");
  const beside = await typeBesideOutput(page);
  report(
    { name: "Input is answered while 5 MB are printed", value: beside.answered, aim: 100 },
    { name: "  longest frame meanwhile", value: beside.frame, aim: 50 },
  );
  await page.keyboard.press("Control+c");
  await page.keyboard.press("F6");
  const sinceOutput: number[] = [];
  const prepare = async () => {
    await sidebarLink(page, "Agents").click();
    await page.getByRole("heading", { name: "Agents" }).waitFor();
  };
  const { time, work: opening } = await rounds(page, prepare, async () => {
    const shown = await showTerminal(page, page.getByRole("link", { name: /^printf/ }), "done>");
    sinceOutput.push(shown.sinceOutput);
    return shown.sinceClick;
  });
  report(
    {
      name: "256 KiB of output are painted, from their first bytes on",
      value: median(sinceOutput),
      aim: 150,
    },
    { name: "  with opening the page, from the click on", value: time, aim: 300 },
    { name: "  the page's own work in that", value: opening, aim: 300 },
  );
});

it("output of a watched program", async () => {
  const { page, client, organizationId, startShell } = await startWorkbench(journey);
  const { id } = await startShell("clear");
  const [workspace] = await client.workspace.list.query({ organizationId });
  await page.getByRole("heading", { name: "Now" }).waitFor();
  const root = page.url().replace(/(\/o\/[^/]+).*/, "$1");
  let runs = 0;
  /** Returns the milliseconds in which a program prints 10 MB. It measures itself. */
  const print = async (): Promise<number> => {
    const file = `took-${++runs}`;
    const text = `s=$(date +%s%3N); seq 2000000 | head -c 10000000; echo $(($(date +%s%3N) - s)) > ${file}\r`;
    await client.agent.sendInput.mutate({ organizationId, id, text });
    const took = () => readFile(join(String(workspace?.config.path), file), "utf8").catch(() => "");
    await expect.poll(took).toMatch(/^\d+\n$/);
    return Number(await took());
  };
  const [unwatched, watched]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n++) {
    await page.goto(`${root}/devices`);
    await page.getByRole("heading", { name: "Devices" }).waitFor();
    unwatched.push(await print());
    await page.goto(`${root}/agents/${id}`);
    await page.getByText("Read-only").waitFor();
    watched.push(await print());
  }
  const seconds = (median(unwatched) / 1_000).toFixed(1);
  const delay = Math.max(0, 100 * (median(watched) / median(unwatched) - 1));
  report({
    name: `10 MB are printed in ${seconds} s, and if watched longer by`,
    value: delay,
    aim: 10,
    unit: "%",
  });
  await page.close();
});

it("diff", async () => {
  const { page, client, organizationId, runTool, project } = await startWorkbench(journey);
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "long" }] });
  const [workspace] = await client.workspace.list.query({ organizationId });
  await addManyLines(String(workspace?.config.path));
  const address = page.url().replace(/(\/o\/[^/]+).*/, `$1/workspaces/${workspace?.id}`);
  const prepare = async () => {
    await page.goto(`${address}?only=terminals`);
    await page.getByRole("button", { name: "Show both sides" }).waitFor();
  };
  const { time, work } = await rounds(page, prepare, () => openDiff(page));
  const { frame, elements } = await scrollDiff(page, 60);
  report(
    { name: "A diff of 20 000 lines opens", value: time, aim: 400 },
    { name: "  the page's own work in that", value: work, aim: 400 },
    { name: "  longest frame while it scrolls", value: frame, aim: 50 },
    { name: "  elements", value: elements, aim: 1_500, unit: "" },
  );
  await page.close();
});

it("clicks and keys", async () => {
  const { page, client, organizationId, startShell } = await startWorkbench(journey);
  await startShell("read -p 'Deploy it? ' answer");
  for (let n = 0; n < 30; n++) await client.task.create.mutate({ organizationId, title: `Task ${n}` });
  // Warms up first, because the first round would measure the network.
  await clickAround(page, 1);
  const { works } = await clickAround(page, 2);
  await slowDown(page);
  const { interactions } = await clickAround(page, 5);
  const taken = interactions.map(({ duration }) => duration);
  const costly = works.reduce((one, other) => (other.work > one.work ? other : one));
  report(
    {
      name: `${taken.length} clicks and keys with a quarter of the processor, p50`,
      value: median(taken),
      aim: 50,
    },
    { name: "  p90", value: quantile(taken, 0.9), aim: 100 },
    { name: "  p98", value: quantile(taken, 0.98), aim: 100 },
    {
      name: `  most work without that, with what follows the paint (${costly.what})`,
      value: costly.work,
      aim: 50,
    },
  );
  for (const { duration, words } of interactions.slice(-WORST).reverse())
    process.stdout.write(`  ${duration} ms: ${words}\n`);
  await page.close();
});
