import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { make, remove, setUp } from "../../testing/workspace";
import { getWorkspaceDetailsTool } from "../getWorkspaceDetails";

it.each([
  { what: "line endings that .gitattributes would change", attributes: "*.txt text eol=lf\n" },
  { what: "a filter that changes what is committed", attributes: "*.txt filter=upper\n" },
])("$what are no one's work, but an edit of such a file is", async ({ attributes }) => {
  const { device, projectId, repository } = await setUp([]);
  await commit(repository, "a.txt", "one\r\ntwo\r\n");
  await git(["config", "filter.upper.clean", "tr a-z A-Z"], { cwd: repository });
  await commit(repository, ".gitattributes", attributes);
  const [edited, clean] = [await make(device, projectId, "edited"), await make(device, projectId, "clean")];
  expect(await git(["status", "--porcelain"], { cwd: clean.path })).toContain("a.txt");
  const read = async (workspaceId: string) => {
    const details = await getWorkspaceDetailsTool(device).run({ workspaceId }, testContext());
    return { dirty: details.workspace.dirty, changes: details.changes.map(({ path }) => path) };
  };
  expect(await read(clean.id)).toEqual({ dirty: false, changes: [] });
  await writeFile(join(edited.path, "a.txt"), "one\r\ntwo\r\nthree\r\n");
  expect(await read(edited.id)).toEqual({ dirty: true, changes: ["a.txt"] });
  const [first, second] = await remove(device, [edited.id, clean.id]);
  expect(first?.error?.message).toContain("1 uncommitted change (a.txt)");
  expect(second).toMatchObject({ worktreeRemoved: true, warnings: [] });
});
