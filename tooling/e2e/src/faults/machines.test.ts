import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { beforeAll, expect, it } from "vitest";
import { type Asked, askUntilSettled, newRequest, submit } from "./world/caller";
import { check } from "./world/check";
import type { DeviceMachine, Project } from "./world/device";
import { Program } from "./world/program";
import { useScene } from "./world/scene";

const scene = useScene();
let device: DeviceMachine;
let project: Project;
let copy: Program;
let next = 0;

beforeAll(async () => {
  device = await scene.device("device");
  await device.connect();
  project = await device.addWork("work", 60);
  const home = join(scene.machine.root, "copied home");
  // As if copied by a program that skips sockets.
  await cp(device.home, home, { recursive: true, filter: (path) => !path.endsWith(".socket") });
  copy = new Program(device.command, { ...device.env, GROVE_HOME: home });
  project.worktrees.push(join(home, "worktrees", "work"));
  scene.atEnd(() => copy.kill());
  scene.atEnd(() => project.work.release());
});

const begin = async (): Promise<Asked> => {
  const asked = newRequest(project, next++);
  await project.work.hold(asked.n);
  await submit(scene.cloud, asked);
  await until(async () => (await project.work.begun()).includes(asked.n), "the work has begun");
  await scene.untilCommand(asked.commandId, "running");
  return asked;
};

it("a second agent on the same home is refused, and the first continues", async () => {
  const second = new Program(device.command, device.env);
  const output = second.start();
  await until(() => !second.running, "it has ended");
  expect(output()).toMatch(/Another grove-device \(pid \d+\) runs on /);
  const asked = await askUntilSettled(scene.cloud, newRequest(project, next++));
  expect(asked.answer).toMatchObject({ status: "succeeded" });
});

it("an agent on a copy of that home is refused on the same machine", async () => {
  const output = copy.start();
  await until(() => !copy.running, "it has ended");
  expect(output()).toMatch(/Another grove-device \(pid \d+\) runs on /);
  // As on another machine, where that process does not exist.
  await rm(join(copy.env.GROVE_HOME ?? "", "lock"), { recursive: true });
});

it("a copied home never gets the original's commands: they are lost, and the original ends and reports them", async () => {
  const asked = await begin();
  copy.start();
  const { answer } = await askUntilSettled(scene.cloud, asked);
  expect(answer).toMatchObject({ status: "lost", error: { reason: "device_replaced" } });
  await scene.untilCommand(asked.commandId, "failed");
  await project.work.release(asked.n);
  expect(await check(scene.cloud, [asked])).toEqual([]);
});

it("two agents that take turns on one key do each command at most once, and are reported", async () => {
  const asked = Array.from({ length: 30 }, () => newRequest(project, next++));
  await Promise.all(asked.map((one) => askUntilSettled(scene.cloud, one)));
  const { organizationId } = scene.cloud;
  const { listAuditEvents } = scene.cloud.client().organization;
  await until(
    async () =>
      (await listAuditEvents.query({ organizationId, action: "device.takesTurns" })).some(
        ({ targetId }) => targetId === device.id,
      ),
    "it is reported",
  );
  // All work in progress on both has ended, and both have reported it.
  await device.kill("SIGTERM");
  await copy.kill("SIGTERM");
  expect(await check(scene.cloud, asked)).toEqual([]);
});
