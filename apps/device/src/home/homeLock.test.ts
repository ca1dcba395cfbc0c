import { copyFile, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, vi } from "vitest";
import { startScript } from "../testing/process";
import { openHome } from "./home";
import { HomeInUseError, lockHome, runningAgent } from "./homeLock";

const holder = (root: string) => startScript(new URL("../testing/lockHolder.ts", import.meta.url), [root]);

it("a second process is refused, naming the first one's pid, until that one has exited", async () => {
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

it("the socket of a process that died before it wrote its lock file is removed, but not one in use", async () => {
  const home = await openHome(await temporaryDirectory());
  const { program, lines } = holder(home.root);
  await lines.next();
  const isSocket = (name: string) => name.endsWith(".socket");
  const live = (await readdir(home.lockDir)).filter(isSocket);
  await copyFile("/dev/null", join(home.lockDir, "4194999.young.socket"));
  await copyFile("/dev/null", join(home.lockDir, "4194999.old.socket"));
  const old = new Date(Date.now() - 3_600_000);
  for (const name of [...live, "4194999.old.socket"]) await utimes(join(home.lockDir, name), old, old);
  // As if the live process had not written its lock file yet.
  for (const name of await readdir(home.lockDir)) if (!isSocket(name)) await rm(join(home.lockDir, name));

  expect(await runningAgent(home)).toBeUndefined();
  expect((await readdir(home.lockDir)).sort()).toEqual([...live, "4194999.young.socket"].sort());
  await program.end();
});

it("waits for the end of a process in another container, whose pids differ", async () => {
  // Longer than the path of a socket may be.
  const home = await openHome(join(await temporaryDirectory(), "directory ".repeat(12)));
  const { program, lines } = holder(home.root);
  await lines.next();
  // As in another container: the lock's files name a process that does not exist here.
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
  const firstLines = await Promise.all(starters.map(async ({ lines }) => (await lines.next()).value ?? ""));
  const winners = firstLines.filter((line) => line.startsWith("locked"));
  expect(winners).toHaveLength(1);
  expect(await runningAgent(home)).toBe(Number(winners[0]?.split(" ")[1]));
});
