import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { configure, node, startTestSession } from "../../testing/session";
import { type Made, setUp as setUpWorkspaces } from "../../testing/workspace";
import { listPointsTool } from "./listPoints";
import { makePointTool } from "./makePoint";
import { restorePointTool } from "./restorePoint";

async function setUp() {
  const { device, projectId, repository, made } = await setUpWorkspaces(["one"], { commits: 2 });
  const { id, path } = made[0] as Made;
  const headOf = async () => (await git(["rev-parse", "HEAD"], { cwd: path })).trim();
  const make = () => makePointTool(device).run({ workspaceId: id }, testContext());
  const listed = () => listPointsTool(device).run({ workspaceId: id }, testContext());
  const list = async () => (await listed()).points;
  const restore = async (
    point: string | null,
    mode: "files" | "branch" = "files",
    context = testContext(),
    expectHead?: string,
  ) => {
    const params = { workspaceId: id, point: point ?? "", mode, expectHead: expectHead ?? (await headOf()) };
    return restorePointTool(device).run(params, context);
  };
  const read = (file: string) => readFile(join(path, file), "utf8");
  const write = (file: string, content: string) => writeFile(join(path, file), content);
  const status = () => git(["status", "--porcelain=v1"], { cwd: path });
  return {
    device,
    projectId,
    repository,
    id,
    path,
    headOf,
    make,
    listed,
    list,
    restore,
    read,
    write,
    status,
  };
}

/** A worktree with changes of every kind, a point of it, and what an agent has made of it since. */
async function workedOn() {
  const one = await setUp();
  const { write, path, make } = one;
  await write("file-1.txt", "staged\n");
  await git(["add", "--", "file-1.txt"], { cwd: path });
  await write("file-1.txt", "mine\n");
  await write("untracked.txt", "untracked\n");
  const before = { head: await one.headOf(), status: await one.status() };
  const { point } = await make();
  await write("file-1.txt", "the agent's\n");
  await git(["add", "--all"], { cwd: path });
  await commit(path, "agent.txt");
  await rm(join(path, "untracked.txt"));
  await rm(join(path, "file-2.txt"));
  await write("later.txt", "later\n");
  return { ...one, point, before };
}

it("mode files: the files of the point are restored, later files are removed, and the branch stays", async () => {
  const { restore, read, path, point, headOf, status, repository, list } = await workedOn();
  await writeFile(join(repository, ".git", "info", "exclude"), "*.log\n");
  await writeFile(join(path, "debug.log"), "ignored\n");
  const head = await headOf();
  const { newPoint } = await restore(point);
  expect(await read("file-1.txt")).toBe("mine\n");
  expect(await read("file-2.txt")).toBe("file-2.txt\n");
  expect(await read("untracked.txt")).toBe("untracked\n");
  expect(await read("debug.log")).toBe("ignored\n");
  for (const file of ["agent.txt", "later.txt"]) expect(await isThere(join(path, file))).toBe(false);
  expect(await headOf()).toBe(head);
  // Nothing of the undone work is staged, so the next commit does not bring it back.
  expect(await status()).toBe(" D agent.txt\n M file-1.txt\n");
  expect((await list()).map((each) => each.point)).toContain(newPoint);

  await restore(newPoint);
  expect(await read("file-1.txt")).toBe("the agent's\n");
  expect(await read("later.txt")).toBe("later\n");
  expect(await status()).toBe(" D file-2.txt\n D untracked.txt\n?? later.txt\n");
});

it("mode branch: the branch and the staged changes are restored too", async () => {
  const { restore, read, point, headOf, status, before } = await workedOn();
  await restore(point, "branch");
  expect(await headOf()).toBe(before.head);
  expect(await status()).toBe(before.status);
  expect(await read("file-1.txt")).toBe("mine\n");
});

it("the fork commit is a point: the workspace as it began", async () => {
  const { restore, list, headOf, status, before, id, device } = await workedOn();
  const fork = (await list()).at(-1);
  const { createdAt } = (await device.store.workspace(id)) ?? expect.fail();
  expect(fork).toMatchObject({ kind: "fork", turn: null, point: before.head, at: createdAt });
  await restore(fork?.point ?? "", "branch");
  expect([await headOf(), await status()]).toEqual([before.head, ""]);
});

it("commits that were pushed are not dropped", async () => {
  const { restore, point, headOf, path, device, repository } = await workedOn();
  const remote = join(device.directory, "remote.git");
  await git(["init", "--quiet", "--bare", "--", remote]);
  await git(["remote", "add", "origin", remote], { cwd: repository });
  await git(["push", "--quiet", "origin", "HEAD"], { cwd: path });
  const head = await headOf();
  await expect(restore(point, "branch")).rejects.toMatchObject({ reason: "would_drop_pushed" });
  expect(await headOf()).toBe(head);
  await restore(point);
});

it("nothing is restored if the point was deleted, HEAD has moved, or git is in the middle of an operation", async () => {
  const { restore, read, point, path, headOf } = await workedOn();
  await expect(restore("0".repeat(40))).rejects.toMatchObject({ reason: "point_gone" });
  await expect(restore(point, "files", testContext(), "0".repeat(40))).rejects.toMatchObject({
    reason: "head_moved",
  });
  await git(["checkout", "--quiet", "-b", "another"], { cwd: path });
  await expect(restore(point, "branch")).rejects.toMatchObject({ reason: "head_moved" });
  await git(["bisect", "start"], { cwd: path });
  await expect(restore(point)).rejects.toMatchObject({
    reason: "in_the_middle",
    message: expect.stringContaining("bisect"),
  });
  expect(await read("file-1.txt")).toBe("the agent's\n");
  expect(await headOf()).not.toBe(point);
});

it("a file that no point holds is not overwritten", async () => {
  const { restore, read, write, point, path, repository } = await workedOn();
  await git(["rm", "--quiet", "--cached", "--", "untracked.txt"], { cwd: path });
  await writeFile(join(repository, ".git", "info", "exclude"), "untracked.txt\n");
  await write("untracked.txt", "precious\n");
  await expect(restore(point)).rejects.toMatchObject({
    reason: "files_in_the_way",
    message: expect.stringContaining("untracked.txt"),
  });
  expect([await read("untracked.txt"), await read("file-1.txt")]).toEqual(["precious\n", "the agent's\n"]);

  // A change that is too large for a point does not prevent restoring, unless the file would be replaced.
  await rm(join(path, "untracked.txt"));
  await truncate(join(path, "file-1.txt"), 20 * 1024 * 1024 + 1);
  await expect(restore(point)).rejects.toMatchObject({ reason: "files_in_the_way" });
});

it("nothing is restored while an agent works; one that waits for input does not prevent it", async () => {
  const { restore, point, device, id, read } = await workedOn();
  const busy = await startTestSession(device, id, {
    command: node("setInterval(() => {}, 1000)"),
    prompt: "stdin",
  });
  await expect(restore(point)).rejects.toMatchObject({ reason: "agent_working" });
  await device.sessions.stop(busy.id);
  const source = `process.stdin.setRawMode(true); process.stdin.on("data", () => {}); console.log("ready")`;
  await startTestSession(device, id, { command: node(source), prompt: "typed" });
  await until(() => device.sessions.registry.running().some((session) => session.waitingForInput));
  await restore(point);
  expect(await read("file-1.txt")).toBe("mine\n");
});

it("without points nothing is made or restored", async () => {
  const { restore, point, device, make, repository, write } = await workedOn();
  await configure(device, {}, { restorePoints: false });
  expect(await make()).toEqual({ point: null, turn: null, skipped: [], off: "config" });
  await expect(restore(point)).rejects.toMatchObject({ reason: "points_off" });
  await configure(device, {});
  await git(["remote", "add", "--mirror=push", "backup", "/nowhere"], { cwd: repository });
  await write("more.txt", "more\n");
  expect(await make()).toEqual({ point: null, turn: null, skipped: [], off: "mirror" });
});

it("the project's setting switches points off, even while the API cannot be reached", async () => {
  const { restore, point, device, projectId, make, listed, write, headOf } = await workedOn();
  expect(await listed()).toMatchObject({ head: await headOf() });
  expect((await listed()).off).toBeUndefined();
  const project = device.test.projects.get(projectId) ?? expect.fail();
  project.restorePoints = false;
  await write("more.txt", "more\n");
  const off = { point: null, turn: null, skipped: [], off: "project" };
  expect(await make()).toEqual(off);
  device.test.faults["project.get"] = () => {
    throw new Error("down");
  };
  expect(await make()).toEqual(off);
  expect(await listed()).toMatchObject({ off: "project" });
  await expect(restore(point)).rejects.toMatchObject({
    reason: "points_off",
    message: expect.stringContaining("project's settings"),
  });
  device.test.faults["project.get"] = undefined;
  project.restorePoints = true;
  expect((await make()).off).toBeUndefined();
});

/** Runs a restoration up to its first note, as if the agent was killed right after it. */
async function cutOff({ restore, point }: Awaited<ReturnType<typeof workedOn>>) {
  const context = testContext();
  const killed = new Error("killed");
  const note = async (value: unknown) => {
    await context.note(value);
    throw killed;
  };
  await expect(restore(point, "branch", { ...context, note })).rejects.toBe(killed);
  return context.notes;
}

it.each([
  ["before the first file was changed", async () => {}],
  [
    "between two files",
    async ({ write, path }: Awaited<ReturnType<typeof workedOn>>) => {
      await write("file-1.txt", "mi");
      await rm(join(path, "agent.txt"));
    },
  ],
  [
    "before the index was written",
    async ({ path, point, before }: Awaited<ReturnType<typeof workedOn>>) => {
      await git(["restore", `--source=${point}`, "--worktree", "--", "."], { cwd: path });
      await git(["update-ref", "HEAD", before.head], { cwd: path });
    },
  ],
])("a restoration that was cut off %s is finished", async (_when, change) => {
  const one = await workedOn();
  const { device, before, headOf, status, read, path, repository } = one;
  const notes = await cutOff(one);
  await change(one);
  const recovered = await restorePointTool(device).recover?.(notes, testContext());
  const { newPoint } = notes[0] as { newPoint: string };
  expect(recovered).toBe(`The point was restored. The replaced files are restore point ${newPoint}.`);
  expect([await headOf(), await status()]).toEqual([before.head, before.status]);
  expect(await read("file-1.txt")).toBe("mine\n");
  expect(await isThere(join(path, "agent.txt"))).toBe(false);
  expect(await git(["show", `${newPoint}:agent.txt`], { cwd: repository })).toBe("agent.txt\n");
});
