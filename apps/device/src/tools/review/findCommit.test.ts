import { expect, it } from "vitest";
import { testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { type Made, setUp } from "../../testing/workspace";
import { findCommitTool } from "./findCommit";

it("finds a commit in the history of what is checked out, by its full or short id, and no other", async () => {
  const { device, made, repository } = await setUp(["one"], { commits: 1 });
  const { id: workspaceId, path } = made[0] as Made;
  const find = (id: string) => findCommitTool(device).run({ workspaceId, commit: id }, testContext());
  const head = await commit(path, "work.txt");
  expect(await find(head)).toEqual({ commit: head });
  expect(await find(head.slice(0, 7))).toEqual({ commit: head });
  const elsewhere = await commit(repository, "elsewhere.txt");
  await git(["branch", "abcdef0"], { cwd: repository });
  const tree = (await git(["rev-parse", "HEAD^{tree}"], { cwd: path })).trim();
  for (const id of [elsewhere, "abcdef0", tree, "0".repeat(40)])
    await expect(find(id)).rejects.toMatchObject({ reason: "commit_unknown" });
});
