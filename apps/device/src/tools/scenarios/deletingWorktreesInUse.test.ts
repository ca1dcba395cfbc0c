import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { make, remove, setUp } from "../../testing/workspace";

/** Starts a program that is not an agent session, and waits until it has printed a line. */
async function start(
  source: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(process.execPath, ["-e", source, ...args], { env: {}, ...options });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

const STAY = "console.log('ready'); setInterval(() => {}, 1000);";
const HOLD = `require("fs").openSync(process.env.FILE); ${STAY}`;
/** Writes into a directory repeatedly, without an open file or any other trace in it. */
const WRITE = `
  const { mkdirSync, writeFileSync } = require("fs");
  process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {});
  setInterval(() => { mkdirSync(process.env.AT, { recursive: true }); writeFileSync(process.env.AT + "/x", "1"); }, 20);
  console.log("ready");`;

it("programs that work in a worktree keep it and are named; forced, they are ended", async () => {
  const { device, made, ids } = await setUp(["cwd", "file", "environment", "free"]);
  const paths = made.map(({ path }) => path);
  await writeFile(join(device.directory, "outside"), "");
  const children = [
    await start(STAY, [], { cwd: paths[0] ?? "" }),
    await start(HOLD, [], { env: { FILE: join(paths[1] ?? "", "file-1.txt") } }),
    await start(STAY, [], { env: { GROVE_WORKSPACE_ID: ids[2] } }),
  ];
  // A directory whose name only begins like a worktree's is another one.
  const neighbour = await start(STAY, [], { cwd: device.directory, env: { AT: `${paths[3]}-2` } });
  const items = await remove(device, ids);
  for (const [n, { pid }] of children.entries()) {
    expect(items[n]?.error?.reason).toBe("processes_running");
    expect(items[n]?.error?.message).toContain(`node ${pid}`);
  }
  expect(items[3]).toMatchObject({ worktreeRemoved: true, warnings: [] });

  const ended = children.map((child) => once(child, "exit"));
  const forced = await remove(device, ids.slice(0, 3), { force: true });
  await Promise.all(ended);
  for (const [n, item] of forced.entries()) {
    expect(item).toMatchObject({ worktreeRemoved: true });
    expect(item.warnings).toEqual([expect.stringContaining(`were ended: node ${children[n]?.pid}`)]);
    expect(await isThere(paths[n] ?? "")).toBe(false);
  }
  expect(neighbour.exitCode).toBe(null);
});

it("a directory that a hidden writer makes again is reported, with the program that names it", async () => {
  const { device, projectId } = await setUp([]);
  const one = await make(device, projectId, "one");
  const child = await start(WRITE, [one.path], { env: { AT: join(one.path, "node_modules") } });
  const [item] = await remove(device, [one.id], { force: true });
  expect(item).toMatchObject({ worktreeRemoved: true });
  expect(item?.warnings.join()).toContain(`${one.path} was made again by a program`);
  expect(item?.warnings.join()).toContain(`node ${child.pid}`);
});
