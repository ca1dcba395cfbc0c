import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { type Asked, askUntilSettled, newRequest } from "./world/caller";
import { check } from "./world/check";
import { Program } from "./world/program";
import { useScene } from "./world/scene";

const scene = useScene();
const HOUR = 3_600_000;

/** Loaded before a program: makes its clock wrong but not its timers, as on a machine whose clock was set wrong. */
const wrongClock = (offMs: number) => `
const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + ${offMs});
    else super(...given);
  }
  static now() {
    return Real.now() + ${offMs};
  }
};
`;

it.each([
  ["fast", HOUR],
  ["slow", -HOUR],
])("a device whose clock is an hour %s does its work within its time-out", async (name, offMs) => {
  const device = await scene.device(`${name} clock`);
  const shim = join(scene.machine.root, `${name}.cjs`);
  await writeFile(shim, wrongClock(offMs));
  device.env.NODE_OPTIONS = `--require ${JSON.stringify(shim)}`;
  await device.connect();
  const started = /"time":"([^"]+)".*"device agent started"/.exec(device.output)?.[1] ?? "";
  expect(Math.round((Date.parse(started) - Date.now()) / HOUR)).toBe(offMs / HOUR);

  const project = await device.addWork(`work of ${name}`, 2);
  scene.atEnd(() => project.work.release());
  await project.work.hold(1);
  const asked = [newRequest(project, 0), newRequest(project, 1)] as const;
  // One after the other: held work blocks all later work in the same repository.
  for (const one of asked) await askUntilSettled(scene.cloud, one, { timeoutMs: 10_000 });
  expect(asked.map(({ answer }) => answer?.error?.reason ?? answer?.status)).toEqual([
    "succeeded",
    "timed_out",
  ]);
  // The cloud may time the command out first, while the device is still removing half-made work.
  await expect.poll(() => check(scene.cloud, asked)).toEqual([]);
});

it("a full disk begins nothing, leaves nothing half-made, and is reported; with space the device continues", async () => {
  const device = await scene.device("full");
  await device.connect();
  const project = await device.addWork("work on a full disk", 61);
  await device.kill("SIGTERM");
  // No file may grow beyond a few kilobytes, and the journal is the first to reach that. Unlike a mount, it needs no
  // privileges.
  const limited = new Program(["sh", "-c", 'ulimit -f 16; exec "$0" "$@"', ...device.command], device.env);
  scene.atEnd(() => limited.kill());
  limited.start();
  await device.untilStatus("online");
  const asked: Asked[] = [];
  while (asked.at(-1)?.answer?.error?.reason !== "disk_full" && asked.length < 60)
    asked.push(await askUntilSettled(scene.cloud, newRequest(project, asked.length)));
  expect(asked.at(-1)?.answer).toMatchObject({ status: "failed", error: { reason: "disk_full" } });
  expect(asked[0]?.answer).toMatchObject({ status: "succeeded" });
  await limited.kill("SIGTERM");
  await device.connect();
  asked.push(await askUntilSettled(scene.cloud, newRequest(project, 60)));
  expect(asked.at(-1)?.answer).toMatchObject({ status: "succeeded" });
  expect(await check(scene.cloud, asked)).toEqual([]);
});

it("waits for a repository that another git has locked, and finally returns the lock file's name", async () => {
  const device = await scene.device("locked");
  await device.connect();
  const project = await device.addWork("held work", 2);
  const lock = (branch: string) => join(project.work.path, ".git", "refs", "heads", `${branch}.lock`);
  const [soon, never] = [
    { ...newRequest(project, 0), branchName: "grove-soon" },
    { ...newRequest(project, 1), branchName: "grove-never" },
  ];
  for (const { branchName } of [soon, never]) await writeFile(lock(branchName), "");
  const settled = askUntilSettled(scene.cloud, soon);
  await until(async () => {
    const rows = await scene.cloud.query("select status from device_commands where device_id = $1", [
      device.id,
    ]);
    return rows.some(({ status }) => status === "running");
  }, "it runs");
  await rm(lock(soon.branchName));
  expect((await settled).answer).toMatchObject({ status: "succeeded" });
  expect(JSON.stringify((await settled).answer?.result)).toContain(soon.branchName);

  const { answer } = await askUntilSettled(scene.cloud, never);
  expect(JSON.stringify(answer?.result)).toMatch(/repository_locked.*grove-never\.lock/);
  expect(await check(scene.cloud, [soon, never])).toEqual([]);
});
