import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testContext } from "../../testing/deps";
import { branches, commit, git } from "../../testing/repository";
import { make, remove, setUp } from "../../testing/workspace";
import { createWorkspaceTool } from "../createWorkspace";

/** A repository with an origin, whose main branch a code host merges into, and a workspace with two commits. */
async function setUpMerging() {
  const { device, projectId, repository } = await setUp([]);
  const origin = join(device.directory, "origin.git");
  const host = join(device.directory, "host");
  await git(["clone", "--quiet", "--bare", "--", repository, origin]);
  await git(["remote", "add", "origin", origin], { cwd: repository });
  const one = await make(device, projectId, "one");
  await commit(one.path, "f1", "1\n2\n3\n");
  await commit(one.path, "f2", "two\n");
  await git(["push", "--quiet", "origin", one.branch], { cwd: one.path });
  await git(["clone", "--quiet", "--", origin, host]);
  const inHost = (...args: string[]) => git(args, { cwd: host });
  /** Ends the work at the code host: pushes main, deletes the branch there, and fetches here. */
  const finish = async () => {
    await inHost("push", "--quiet", "origin", "main");
    await inHost("push", "--quiet", "origin", "--delete", one.branch);
    await git(["fetch", "--quiet", "--prune", "origin"], { cwd: repository });
  };
  const squash = async () => {
    await inHost("merge", "--quiet", "--squash", `origin/${one.branch}`);
    await inHost("commit", "--quiet", "--message", "squashed");
  };
  const moveOn = async (file: string, content?: string) => void (await commit(host, file, content));
  return { device, repository, host, one, inHost, finish, squash, moveOn };
}
type Merging = Awaited<ReturnType<typeof setUpMerging>>;

it.each<{ how: string; merge(merging: Merging): Promise<unknown> }>([
  { how: "squashed", merge: ({ squash }) => squash() },
  {
    how: "squashed onto a main that had moved, and moves on in the same file",
    async merge({ squash, moveOn }) {
      await moveOn("before");
      await squash();
      await moveOn("f1", "0\n1\n2\n3\n4\n");
      for (let n = 0; n < 20; n++) await moveOn(`after-${n}`);
    },
  },
  {
    how: "rebased",
    async merge({ inHost, moveOn, one }) {
      await moveOn("before");
      await inHost("cherry-pick", `main..origin/${one.branch}`);
    },
  },
  {
    how: "squashed after main was merged into it",
    async merge({ squash, moveOn, inHost, one, repository }) {
      await moveOn("before");
      await inHost("push", "--quiet", "origin", "main");
      await git(["fetch", "--quiet", "origin"], { cwd: repository });
      await git(["merge", "--quiet", "origin/main"], { cwd: one.path });
      await git(["push", "--quiet", "origin", one.branch], { cwd: one.path });
      await inHost("fetch", "--quiet", "origin");
      await squash();
    },
  },
])("work that was merged without a merge commit is no longer needed: $how", async ({ merge }) => {
  const merging = await setUpMerging();
  const { device, repository, one, finish } = merging;
  await merge(merging);
  await finish();
  expect((await remove(device, [one.id], { deleteBranch: true }))[0]).toEqual({
    id: one.id,
    name: "one",
    worktreeRemoved: true,
    branchDeleted: true,
    warnings: [],
    // The branch's own commits are on no other branch.
    rescue: { ref: `refs/grove/rescue/${one.id}`, until: expect.any(String) },
  });
  expect(await branches(repository)).toEqual(["main"]);
});

it("a branch is deleted if the code host has merged it since the last fetch, and kept while origin is unreachable", async () => {
  const { device, repository, one, inHost, squash } = await setUpMerging();
  await git(["fetch", "--quiet", "origin"], { cwd: repository });
  await squash();
  await inHost("push", "--quiet", "origin", "main");
  const [first] = await remove(device, [one.id], { deleteBranch: true });
  expect(first).toMatchObject({ worktreeRemoved: true, branchDeleted: true, warnings: [] });
  expect(await branches(repository)).toEqual(["main"]);

  const { device: other, one: two, repository: kept } = await setUpMerging();
  await rm(join(other.directory, "origin.git"), { recursive: true });
  const [second] = await remove(other, [two.id], { deleteBranch: true });
  expect(second).toMatchObject({ worktreeRemoved: true, branchDeleted: false });
  expect(second?.warnings.join()).toContain(`The branch '${two.branch}' was kept: it is not merged`);
  expect(await branches(kept)).toContain(two.branch);
});

it("a squash into the local base counts too", async () => {
  const { device, repository, made, ids } = await setUp(["one"]);
  const [one] = made;
  if (!one) throw expect.fail();
  await commit(one.path, "f1");
  await git(["merge", "--quiet", "--squash", one.branch], { cwd: repository });
  await git(["commit", "--quiet", "--message", "squashed"], { cwd: repository });
  expect((await remove(device, ids))[0]).toMatchObject({ worktreeRemoved: true });
});

it.each<{ how: string; merge(merging: Merging): Promise<unknown> }>([
  {
    how: "squashed with other content",
    async merge({ inHost, host, one }) {
      await inHost("merge", "--quiet", "--squash", `origin/${one.branch}`);
      await writeFile(join(host, "f2"), "different\n");
      await inHost("add", "f2");
      await inHost("commit", "--quiet", "--message", "squashed");
    },
  },
  {
    how: "only its first commit",
    merge: ({ inHost, one }) => inHost("cherry-pick", `origin/${one.branch}~1`),
  },
  {
    how: "changes that cancel out",
    merge: ({ one }) => git(["revert", "--no-edit", "HEAD", "HEAD~1"], { cwd: one.path }),
  },
  {
    how: "a commit after the squash",
    async merge({ squash, one }) {
      await squash();
      await commit(one.path, "f3");
    },
  },
])("work of which no branch has all content keeps its worktree: $how", async ({ merge }) => {
  const merging = await setUpMerging();
  await merge(merging);
  await merging.finish();
  const [item] = await remove(merging.device, [merging.one.id], { deleteBranch: true });
  expect(item?.error?.reason).toBe("unsaved_work");
  expect(item?.error?.message).toContain("not even squashed or rebased (compared: origin/main, main)");
});

it("a workspace on its own base branch is not merged into itself", async () => {
  const { device, projectId, repository } = await setUp([]);
  await git(["checkout", "--quiet", "--detach"], { cwd: repository });
  const workspaces = [{ existingBranch: "main" }];
  const { workspaces: made } = await createWorkspaceTool(device).run(
    { projectId, workspaces },
    testContext(),
  );
  const [{ id = "", path = "" } = {}] = made;
  await commit(path, "work.txt");
  expect((await remove(device, [id]))[0]?.error?.reason).toBe("unsaved_work");
});
