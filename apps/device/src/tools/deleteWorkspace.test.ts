import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listWorktrees } from "../git/worktree/worktree";
import { isThere } from "../lib/fileSystem";
import { Refusal } from "../testing/cloud";
import { startTestDevice, type TestDevice, testContext } from "../testing/deps";
import { branches, commit, git, makeRepository } from "../testing/repository";
import { startTestSession } from "../testing/session";
import { type Made, make, remove, setUp } from "../testing/workspace";

/** The traces of a workspace: directory, git's record, entry here and in the cloud. */
const tracesOf = async (device: TestDevice, repository: string, { id, path }: Made) => [
  await isThere(path),
  (await listWorktrees(git, repository)).some((tree) => tree.path === path),
  (await device.store.workspace(id)) !== undefined,
  device.test.workspaces.has(id),
];
const everything = [true, true, true, true];
const nothing = [false, false, false, false];

it("a clean workspace is removed from disk, git, this machine and the API; its branch stays", async () => {
  const { device, repository, made, ids } = await setUp(["one", "two"]);
  // Ignored files that a tool makes again are not work.
  await writeFile(join(repository, ".git", "info", "exclude"), "node_modules/\n");
  await mkdir(join(made[0]?.path ?? "", "node_modules"));
  await writeFile(join(made[0]?.path ?? "", "node_modules", "index.js"), "1");
  expect(await remove(device, [...ids, ...ids])).toEqual(
    made.map(({ id, name }) => ({ id, name, worktreeRemoved: true, branchDeleted: false, warnings: [] })),
  );
  for (const one of made) expect(await tracesOf(device, repository, one)).toEqual(nothing);
  expect(await branches(repository)).toEqual(["grove/one", "grove/two", "main"]);
  expect(await readdir(device.home.worktreesDir)).toEqual([]);
  expect(await device.store.activeWorkspaceId()).toBe(null);
});

it("uncommitted and unpushed work stays unless forced; commits on a remote or another branch do not count", async () => {
  const { device, repository, made, ids } = await setUp(["dirty", "ahead", "pushed", "merged"]);
  const [dirty, ahead, pushed, merged] = made as [Made, Made, Made, Made];
  await writeFile(join(dirty.path, "new file"), "");
  for (const { path, name } of [ahead, pushed, merged]) await commit(path, `${name}.txt`);
  const bare = join(device.directory, "remote.git");
  await git(["init", "--quiet", "--bare", "--", bare]);
  await git(["remote", "add", "origin", bare], { cwd: repository });
  await git(["push", "--quiet", "origin", pushed.branch], { cwd: pushed.path });
  await git(["merge", "--quiet", merged.branch], { cwd: repository });

  const [item1, item2, item3, item4] = await remove(device, ids);
  expect(item1?.error).toEqual({
    reason: "unsaved_work",
    message: expect.stringContaining("1 uncommitted change (new file)"),
  });
  expect(item2?.error?.message).toContain("1 commit that no remote and no other branch has");
  expect([item1, item2].map((item) => item?.worktreeRemoved)).toEqual([false, false]);
  for (const one of [dirty, ahead]) expect(await tracesOf(device, repository, one)).toEqual(everything);
  for (const item of [item3, item4]) expect(item).toMatchObject({ worktreeRemoved: true });

  const forced = await remove(device, [dirty.id, ahead.id], { force: true });
  expect(forced.map((item) => item.worktreeRemoved)).toEqual([true, true]);
  // The commits are still on their branch.
  expect(await branches(repository)).toContain(ahead.branch);
});

it("files that a repository's configuration hides from git status still count as work", async () => {
  const { device, repository, made, ids } = await setUp(["one"]);
  await git(["config", "status.showUntrackedFiles", "no"], { cwd: repository });
  await writeFile(join(made[0]?.path ?? "", "new file"), "");
  expect((await remove(device, ids))[0]?.error?.reason).toBe("unsaved_work");
});

it("commits of a detached HEAD count as work; a branch before its first commit does not", async () => {
  const { device, made, ids } = await setUp(["detached", "orphan"]);
  const [detached, orphan] = made as [Made, Made];
  await git(["checkout", "--quiet", "--detach"], { cwd: detached.path });
  await commit(detached.path, "work.txt");
  await git(["checkout", "--quiet", "--orphan", "fresh"], { cwd: orphan.path });
  await git(["rm", "--quiet", "-rf", "."], { cwd: orphan.path });
  const [first, second] = await remove(device, ids);
  expect(first?.error?.message).toContain("1 commit");
  expect(second).toMatchObject({ worktreeRemoved: true });
});

it("the branch is deleted if it is merged or forced; otherwise the item names the half that stays", async () => {
  const { device, repository, made, ids } = await setUp(["merged", "open", "elsewhere"]);
  const [, open, elsewhere] = made as [Made, Made, Made];
  await commit(open.path, "work.txt");
  await git(["branch", "holds-it", open.branch], { cwd: repository });
  await git(["checkout", "--quiet", "--detach"], { cwd: elsewhere.path });
  await git(["checkout", "--quiet", elsewhere.branch], { cwd: repository });
  const [item1, item2, item3] = await remove(device, ids, { deleteBranch: true });
  expect(item1).toMatchObject({ worktreeRemoved: true, branchDeleted: true, warnings: [] });
  expect(item2).toMatchObject({ worktreeRemoved: true, branchDeleted: false });
  expect(item2?.warnings[0]).toContain("'grove/open' was kept: it is not merged into 'main'");
  expect(item3?.warnings[0]).toContain("another worktree has it checked out");
  expect(await branches(repository)).toEqual(["grove/elsewhere", "grove/open", "holds-it", "main"]);

  const again = await make(device, device.test.projects.keys().next().value ?? "", "again");
  await commit(again.path, "work.txt");
  const [forced] = await remove(device, [again.id], { deleteBranch: true, force: true });
  expect(forced).toMatchObject({ worktreeRemoved: true, branchDeleted: true, warnings: [] });
  expect(await branches(repository)).not.toContain("grove/again");
});

it("running agent sessions keep a workspace; forced, they end first", async () => {
  const { device, ids } = await setUp(["one"]);
  const [workspaceId = ""] = ids;
  const session = await startTestSession(device, workspaceId, { command: ["sleep", "{prompt}"] }, "1000");
  const [refused] = await remove(device, ids);
  expect(refused?.error).toEqual({
    reason: "sessions_running",
    message: expect.stringContaining(session.id),
  });
  await expect.poll(session.processes).toEqual([session.pid]);
  expect((await remove(device, ids, { force: true }))[0]).toMatchObject({
    worktreeRemoved: true,
    warnings: [`It ended these agent sessions: ${session.id}.`],
  });
  expect(await session.processes()).toEqual([]);
  expect(await session.reported("end")).toMatchObject({ status: "stopped" });
});

it("submodules are checked, since their commits are removed with the worktree", async () => {
  const device = await startTestDevice();
  const library = await makeRepository(join(device.directory, "library"));
  const { id, path } = await device.addRepository("app");
  const local = ["-c", "protocol.file.allow=always"];
  await git([...local, "submodule", "--quiet", "add", "--", library, "lib"], { cwd: path });
  await git(["commit", "--quiet", "--message", "lib"], { cwd: path });
  const [clean, worked] = [await make(device, id, "clean"), await make(device, id, "worked")];
  for (const tree of [clean, worked])
    await git([...local, "submodule", "--quiet", "update", "--init"], { cwd: tree.path });
  const lib = join(worked.path, "lib");
  await git(["checkout", "--quiet", "-b", "mine"], { cwd: lib });
  await commit(lib, "work.txt");
  await git(["checkout", "--quiet", "--detach", "HEAD^"], { cwd: lib });
  const [first, second] = await remove(device, [clean.id, worked.id]);
  expect(first).toMatchObject({ worktreeRemoved: true });
  expect(second?.error?.message).toContain(
    "1 commit that no remote and no other branch has in the submodule lib",
  );
  expect((await remove(device, [worked.id], { force: true }))[0]).toMatchObject({ worktreeRemoved: true });
  expect(await listWorktrees(git, path)).toHaveLength(1);
});

it("a worktree that git cannot read stays unless forced; for a missing one only the entries are removed", async () => {
  const { device, repository, made, ids } = await setUp(["gone", "broken", "orphaned"]);
  const [gone, broken, orphaned] = made as [Made, Made, Made];
  await rm(gone.path, { recursive: true });
  await rm(join(broken.path, ".git"));
  expect((await remove(device, [gone.id]))[0]).toMatchObject({ worktreeRemoved: true });
  expect(await tracesOf(device, repository, gone)).toEqual(nothing);
  expect((await remove(device, [broken.id]))[0]?.error).toEqual({
    reason: "worktree_unreadable",
    message: expect.stringContaining("With force"),
  });
  await rename(repository, `${repository}-moved`);
  expect((await remove(device, [orphaned.id]))[0]?.error?.reason).toBe("worktree_unreadable");
  for (const item of await remove(device, ids.slice(1), { force: true, deleteBranch: true }))
    expect(item).toMatchObject({ worktreeRemoved: true, branchDeleted: false });
  expect(await readdir(device.home.worktreesDir)).toEqual([]);
  expect(device.test.workspaces.size).toBe(0);
});

it("an unknown workspace is reported; the others are deleted", async () => {
  const { device, ids } = await setUp(["one"]);
  const unknown = randomUUID();
  const [first, second] = await remove(device, [unknown, ...ids]);
  expect(first).toMatchObject({ id: unknown, name: null, error: { reason: "workspace_not_found" } });
  expect(second).toMatchObject({ worktreeRemoved: true });
});

it("if the API refuses, the error states that the worktree was removed, and the deletion can be retried", async () => {
  const { device, made, ids } = await setUp(["one"]);
  device.test.faults["workspace.delete"] = () => {
    throw new Refusal("FORBIDDEN", "role_required");
  };
  const [half] = await remove(device, ids);
  expect(half).toMatchObject({ worktreeRemoved: true, error: { reason: "role_required" } });
  expect(half?.error?.message).toContain("The worktree was removed");
  expect(await isThere(made[0]?.path ?? "")).toBe(false);
  device.test.faults["workspace.delete"] = undefined;
  const [whole] = await remove(device, ids);
  expect(whole).toMatchObject({ worktreeRemoved: true });
  expect(whole?.error).toBeUndefined();
  expect(device.test.workspaces.size).toBe(0);
  expect(await device.store.workspaces()).toEqual([]);
});

it("a command ended from outside leaves deletions not begun, and reports those that are done", async () => {
  const { device, repository, made, ids } = await setUp(["one", "two", "three"]);
  const [one, two, three] = made as [Made, Made, Made];
  const early = new AbortController();
  early.abort(new Error("canceled"));
  await expect(remove(device, ids, {}, testContext(early.signal))).rejects.toThrow("canceled");
  for (const item of made) expect(await tracesOf(device, repository, item)).toEqual(everything);

  const abort = new AbortController();
  device.test.faults["workspace.delete"] = () => abort.abort(new Error("canceled"));
  const [first, second, third] = await remove(device, ids, {}, testContext(abort.signal));
  expect(first).toMatchObject({ worktreeRemoved: true });
  expect(await tracesOf(device, repository, one)).toEqual(nothing);
  for (const item of [second, third])
    expect(item).toMatchObject({ worktreeRemoved: false, error: { reason: "ended" } });
  for (const item of [two, three]) expect(await tracesOf(device, repository, item)).toEqual(everything);
});

it("a workspace deleted twice at the same time is removed once", async () => {
  const { device, ids } = await setUp(["one"]);
  const both = (await Promise.all([remove(device, ids), remove(device, ids)])).flat();
  expect(both.filter(({ worktreeRemoved }) => worktreeRemoved)).toHaveLength(1);
  expect(both.find(({ worktreeRemoved }) => !worktreeRemoved)?.error?.reason).toBe("workspace_not_found");
});
