import { readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, vi } from "vitest";
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
  expect((await readdir(home.lockDir)).filter((name) => name.includes("left-behind"))).toEqual([]);
  await lock.release();
});

it("a process of another container, where pids are others, is waited for until it has ended", async () => {
  // Longer than the path of a socket may be.
  const home = await openHome(join(await temporaryDirectory(), "directory ".repeat(12)));
  const { program, lines } = holder(home.root);
  await lines.next();
  // Its files look there as if of a process that does not exist here.
  for (const name of await readdir(home.lockDir))
    await rename(join(home.lockDir, name), join(home.lockDir, name.replace(/^\d+/, "4194999")));
  expect(await runningAgent(home)).toBe(4_194_999);

  const stop = new AbortController();
  const onWait = vi.fn(() => stop.abort(new Error("stopped meanwhile")));
  await expect(lockHome(home, { signal: stop.signal, onWait })).rejects.toThrow();
  expect(onWait).toHaveBeenCalledWith(4_194_999);

  const lock = await lockHome(home, { onWait: () => void program.end("SIGKILL") });
  expect(await runningAgent(home)).toBe(process.pid);
  await lock.release();
  expect(await readdir(home.lockDir)).toEqual([]);
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
