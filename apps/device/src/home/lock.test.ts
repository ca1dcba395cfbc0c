import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { startScript } from "../testing/process";
import { openHome } from "./home";
import { HomeInUseError, lockHome, runningAgent } from "./lock";

const holder = (root: string) => startScript(new URL("../testing/lockHolder.ts", import.meta.url), [root]);

it("a second process is refused, naming the first one's pid, until that one is gone", async () => {
  const home = await openHome(await temporaryDirectory());
  const { program, lines } = holder(home.root);
  await lines.next();
  expect(await runningAgent(home)).toBe(program.pid);
  await expect(lockHome(home)).rejects.toThrow(HomeInUseError);
  await expect(lockHome(home)).rejects.toThrow(`pid ${program.pid}`);

  await program.end();
  expect(await runningAgent(home)).toBeUndefined();
  const lock = await lockHome(home);
  expect(await runningAgent(home)).toBe(process.pid);
  await lock.release();
  expect(await runningAgent(home)).toBeUndefined();
  expect(await readdir(home.lockDir)).toEqual([]);
});

it("a dead process's pid that another process has since been given holds nothing", async () => {
  const home = await openHome(await temporaryDirectory());
  await writeFile(join(home.lockDir, `${process.pid}.left-behind`), "an earlier boot 12345");
  await writeFile(join(home.lockDir, "1.left-behind"), "an earlier boot 12345");
  await writeFile(join(home.lockDir, "4194999.left-behind"), "");
  const lock = await lockHome(home);
  expect(await readdir(home.lockDir)).toHaveLength(1);
  await lock.release();
});

it("of many processes that start together over a dead one's lock, at most one holds it, and some process gets it", async () => {
  const home = await openHome(await temporaryDirectory());
  await writeFile(join(home.lockDir, "1.left-behind"), "an earlier boot 12345");
  const starters = Array.from({ length: 5 }, () => holder(home.root));
  const said = await Promise.all(starters.map(async ({ lines }) => (await lines.next()).value ?? ""));
  const winners = said.filter((line) => line.startsWith("locked"));
  expect(winners).toHaveLength(1);
  expect(await runningAgent(home)).toBe(Number(winners[0]?.split(" ")[1]));
});
