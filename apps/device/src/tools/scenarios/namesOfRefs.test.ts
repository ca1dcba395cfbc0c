import { join } from "node:path";
import { deviceTools, type WorkspaceRequest } from "@grove/schemas";
import { expect, it } from "vitest";
import { type TestDevice, testContext } from "../../testing/deps";
import { branches, commit, git } from "../../testing/repository";
import { make, remove, setUp } from "../../testing/workspace";
import { createWorkspaceTool } from "../createWorkspace";
import { getWorkspaceDetailsTool } from "../getWorkspaceDetails";
import { getWorkspaceDiffTool } from "../getWorkspaceDiff";

const create = async (device: TestDevice, projectId: string, request: WorkspaceRequest) =>
  (await createWorkspaceTool(device).run({ projectId, workspaces: [request] }, testContext())).workspaces[0];

async function read(device: TestDevice, workspaceId: string) {
  const { workspace, diff } = await getWorkspaceDetailsTool(device).run({ workspaceId }, testContext());
  const params = deviceTools.get_workspace_diff.params.parse({ workspaceId });
  const { files } = await getWorkspaceDiffTool(device).run(params, testContext());
  const { ahead, behind, branch } = workspace;
  return { ahead, behind, branch, files: files.map(({ path }) => path), diff: diff?.filesChanged };
}

it.each(["main", "release", "origin/main"])("a tag named like the base %s never counts", async (base) => {
  const { device, projectId, repository } = await setUp([]);
  for (const file of ["two", "three"]) await commit(repository, file);
  await git(["branch", "release"], { cwd: repository });
  await git(["update-ref", "refs/remotes/origin/main", "HEAD"], { cwd: repository });
  await git(["tag", base, "HEAD~2"], { cwd: repository });
  const made = await create(device, projectId, { name: "one", baseBranch: base });
  await commit(made?.path ?? "", "mine");
  expect(await read(device, made?.id ?? "")).toMatchObject({ ahead: 1, behind: 0, files: ["mine"], diff: 1 });
});

it("a tag named like an existing branch, or like the workspace's own, never counts", async () => {
  const { device, projectId, repository } = await setUp([]);
  await git(["branch", "feature"], { cwd: repository });
  await git(["remote", "add", "origin", join(device.directory, "nowhere")], { cwd: repository });
  await git(["update-ref", "refs/remotes/origin/far", "HEAD"], { cwd: repository });
  const tip = await commit(repository, "two");
  for (const tag of ["feature", "origin/far", "grove/own"]) await git(["tag", tag, tip], { cwd: repository });
  for (const existingBranch of ["feature", "origin/far"]) {
    const made = await create(device, projectId, { existingBranch });
    expect(made?.error).toBeUndefined();
    const branch = existingBranch.replace("origin/", "");
    expect(await read(device, made?.id ?? "")).toMatchObject({ branch, ahead: 0, behind: 1 });
  }
  const own = await make(device, projectId, "own");
  expect((await read(device, own.id)).branch).toBe("grove/own");
});

it("the commit where a workspace began replaces a base that no longer exists", async () => {
  const { device, projectId, repository, made, ids } = await setUp(["a"]);
  await commit(made[0]?.path ?? "", "base work");
  const b = await create(device, projectId, { name: "b", baseBranch: "grove/a" });
  await commit(b?.path ?? "", "mine");
  await remove(device, ids, { force: true, deleteBranch: true });
  expect(await branches(repository)).not.toContain("grove/a");
  const state = await read(device, b?.id ?? "");
  expect(state).toMatchObject({ ahead: 1, behind: null, files: ["mine"], diff: 1 });
});

it("a shallow fetch of the base leaves the figures right", async () => {
  const { device, projectId, repository } = await setUp([]);
  const origin = join(device.directory, "origin.git");
  await commit(repository, "two");
  await git(["clone", "--quiet", "--bare", "--", repository, origin]);
  await git(["remote", "add", "origin", `file://${origin}`], { cwd: repository });
  await git(["fetch", "--quiet", "origin"], { cwd: repository });
  const made = await create(device, projectId, { name: "one", baseBranch: "origin/main" });
  const path = made?.path ?? "";
  await commit(path, "mine");
  const host = join(device.directory, "host");
  await git(["clone", "--quiet", "--", origin, host]);
  await commit(host, "three");
  await git(["push", "--quiet", "origin", "main"], { cwd: host });
  await git(["fetch", "--quiet", "--depth=1", "origin", "main"], { cwd: path });
  expect(await read(device, made?.id ?? "")).toMatchObject({ ahead: 1, behind: null, files: ["mine"] });
});

it("a base is compared by its upstream if that is newer", async () => {
  const { device, repository, made } = await setUp(["one"]);
  const [one] = made;
  await commit(one?.path ?? "", "mine");
  const newer = await commit(repository, "theirs");
  await git(["update-ref", "refs/remotes/origin/main", newer], { cwd: repository });
  await git(["reset", "--quiet", "--hard", "HEAD~1"], { cwd: repository });
  expect(await read(device, one?.id ?? "")).toMatchObject({ ahead: 1, behind: 1 });
});

it("an operation in progress is reported, and its branch is not checked out a second time", async () => {
  const { device, projectId, repository, made } = await setUp(["rebase", "bisect", "merge"]);
  const [rebasing, bisecting, merging] = made;
  if (!rebasing || !bisecting || !merging) throw expect.fail();
  await commit(repository, "same", "theirs\n");
  for (const { path } of [rebasing, merging]) await commit(path, "same", "mine\n");
  await git(["rebase", "main"], { cwd: rebasing.path }).catch(() => {});
  await git(["merge", "main"], { cwd: merging.path }).catch(() => {});
  await git(["bisect", "start"], { cwd: bisecting.path });
  await git(["checkout", "--quiet", "--detach"], { cwd: bisecting.path });
  for (const { id, name, branch, path } of made) {
    const { workspace } = await getWorkspaceDetailsTool(device).run({ workspaceId: id }, testContext());
    expect(workspace).toMatchObject({ branch, operation: name });
    const second = await create(device, projectId, { name: `${name} again`, existingBranch: branch });
    expect(second?.error?.reason).toBe("branch_checked_out");
    if (name !== "merge") expect(second?.error?.message).toContain(`in the middle of a ${name} at ${path}`);
  }
});

it("a worktree with another branch than its own is reported and deleted as it is", async () => {
  const { device, projectId, repository, made } = await setUp(["renamed", "switched"]);
  const [renamed, switched] = made;
  if (!renamed || !switched) throw expect.fail();
  await git(["branch", "--move", "new-name"], { cwd: renamed.path });
  await git(["switch", "--quiet", "--create", "other"], { cwd: switched.path });
  const again = await create(device, projectId, { name: "renamed" });
  expect(again).toMatchObject({ branch: "new-name", alreadyExisted: true });
  expect(again?.warnings?.[0]).toContain("'new-name' is checked out");
  const [first, second] = await remove(device, [renamed.id, switched.id], { deleteBranch: true });
  expect(first).toMatchObject({ branchDeleted: true, warnings: [] });
  expect(second).toMatchObject({ branchDeleted: true });
  expect(second?.warnings[0]).toContain("'other', which was checked out in it, was kept");
  expect(await branches(repository)).toEqual(["main", "other"]);
});

it.each(["refs/heads/q", "heads/q", "tags/q", "origin/main", "origin", "up/stream/x", "0".repeat(40)])(
  "a new branch is not called %s",
  async (branchName) => {
    const { device, projectId, repository } = await setUp([]);
    for (const name of ["origin", "up/stream"])
      await git(["remote", "add", name, join(device.directory, "nowhere")], { cwd: repository });
    const made = await create(device, projectId, { branchName });
    expect(made?.error?.reason).toBe("invalid_branch");
    expect(await branches(repository)).toEqual(["main"]);
  },
);

it("a branch that only origin has is checked out with or without its origin/", async () => {
  const { device, projectId, repository } = await setUp([]);
  const origin = join(device.directory, "origin.git");
  await git(["clone", "--quiet", "--bare", "--", repository, origin]);
  for (const name of ["one", "two"]) await git(["branch", name], { cwd: origin });
  await git(["remote", "add", "origin", origin], { cwd: repository });
  for (const existingBranch of ["origin/one", "two"]) {
    const branch = existingBranch.replace("origin/", "");
    expect(await create(device, projectId, { existingBranch })).toMatchObject({
      branch,
      alreadyExisted: false,
    });
  }
  const again = await create(device, projectId, { existingBranch: "origin/one" });
  expect(again).toMatchObject({ branch: "one", alreadyExisted: true });
});

it("empty submodules are named in a warning with the command", async () => {
  const { device, projectId, repository } = await setUp([]);
  const library = join(device.directory, "library");
  await git(["clone", "--quiet", "--", repository, library]);
  const local = ["-c", "protocol.file.allow=always"];
  await git([...local, "submodule", "--quiet", "add", "--", library, "libs/sub"], { cwd: repository });
  await git(["commit", "--quiet", "--message", "sub"], { cwd: repository });
  const made = await create(device, projectId, { name: "one" });
  expect(made?.warnings?.join()).toMatch(/empty \(libs\/sub\).*git submodule update --init/);
});
