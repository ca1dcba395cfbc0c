import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type Asked, askTogether, askUntilSettled, askWithoutKey, newRequest } from "./world/caller";
import { check, checkCommands } from "./world/check";
import type { DeviceMachine, Project } from "./world/device";
import { useScene } from "./world/scene";
import { checkTyped, configureLogger } from "./world/typing";

// Each test makes a world with one error that a fault of Grove would cause, and expects the check to find it.
const scene = useScene();
let device: DeviceMachine;
let project: Project;
let next = 0;

beforeAll(async () => {
  device = await scene.device("device");
  await configureLogger(device);
  await device.connect();
  project = await device.addWork("work", 20);
});

const done = async (): Promise<Asked> => {
  const asked = await askUntilSettled(scene.cloud, newRequest(project, next++));
  expect(asked.answer?.status).toBe("succeeded");
  return asked;
};
const pathOf = async ({ n }: Asked) => (await project.work.effects()).get(n)?.paths[0] ?? "";
const wrongOf = (asked: Asked) => checkCommands(scene.cloud, [asked]);

it("reports nothing about commands that ran once, for any caller", async () => {
  const [keyless, together] = [newRequest(project, next++), newRequest(project, next++)];
  await askWithoutKey(scene.cloud, keyless, scene.cloud.client());
  await askTogether(scene.cloud, together, () => scene.cloud.client());
  expect(await check(scene.cloud, [await done(), keyless, together])).toEqual([]);
});

it("a command that began twice, though only one worktree is left", async () => {
  const asked = await done();
  const path = await pathOf(asked);
  await project.work.git("worktree", "remove", "--force", path);
  await project.work.git("worktree", "add", "--quiet", "--detach", path, `base-${asked.n}`);
  expect(await wrongOf(asked)).toEqual([expect.stringContaining("was begun 2 times")]);
});

it("a command that left two worktrees", async () => {
  const asked = await done();
  const second = join(device.home, "worktrees", `second ${asked.n}`);
  await project.work.git("worktree", "add", "--quiet", "--detach", second, `base-${asked.n}`);
  expect(await wrongOf(asked)).toEqual(
    expect.arrayContaining([
      expect.stringContaining("was done 2 times"),
      expect.stringContaining("was begun 2 times"),
    ]),
  );
  await project.work.git("worktree", "remove", "--force", second);
});

it("work that is lost: its command succeeded, and it does not exist", async () => {
  const asked = await done();
  await project.work.git("worktree", "remove", "--force", await pathOf(asked));
  expect(await wrongOf(asked)).toEqual(
    expect.arrayContaining([expect.stringContaining("says 1, the disk has 0")]),
  );
});

it("an untrue answer: the caller got another end than the row has", async () => {
  const asked = await done();
  await scene.cloud.query("update device_commands set status = 'canceled' where id = $1", [asked.commandId]);
  expect(await wrongOf(asked)).toEqual(
    expect.arrayContaining([expect.stringContaining("its caller got succeeded, and it is canceled")]),
  );
});

it("a command that is refused and done all the same", async () => {
  const asked = await done();
  expect(await wrongOf({ ...asked, refusal: "device_offline" })).toEqual([
    expect.stringContaining("was refused (device_offline), and was done"),
  ]);
});

it("two callers with one key that got two commands", async () => {
  const [one, other] = [await done(), await done()];
  expect(await wrongOf({ ...one, ...(other.answer && { other: other.answer }) })).toEqual([
    expect.stringContaining(`the other caller with its key got command ${other.commandId}`),
  ]);
});

it("a line that was typed twice", async () => {
  const log = join(device.home, "typed.log");
  await appendFile(log, "round 0 line 1\nround 0 line 2\nround 0 line 1\n");
  expect(await checkTyped([device])).toEqual(['"round 0 line 1" was typed 2 times']);
});
