import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commit, git } from "../../testing/repository";
import { make, remove, setUp } from "../../testing/workspace";

// Work that `git status` does not show by itself.

async function workspace() {
  const { device, projectId, repository } = await setUp([]);
  await commit(repository, "config.json", "{}\n");
  await commit(repository, ".gitignore", "scratch/\nnode_modules/\ndist/\n");
  const { id, path } = await make(device, projectId, "one");
  const reason = async () => (await remove(device, [id]))[0]?.error?.message;
  return { device, repository, id, path, reason };
}

/** A clone that holds a commit which exists nowhere else. */
async function cloneWithWork(from: string, path: string): Promise<void> {
  await git(["clone", "--quiet", from, path], { cwd: from });
  await git(["switch", "--quiet", "--create", "feature"], { cwd: path });
  await commit(path, "only-here.txt", "work\n");
  await git(["switch", "--quiet", "main"], { cwd: path });
}

it.each([
  ["of the repository", "status.showUntrackedFiles", "no"],
  ["of the repository, in other letters", "status.showuntrackedfiles", "no"],
])("untracked files keep it when the configuration %s hides them", async (_, key, value) => {
  const { repository, path, reason } = await workspace();
  await git(["config", key, value], { cwd: repository });
  await writeFile(join(path, "notes.txt"), "only here\n");
  expect(await reason()).toContain("(notes.txt)");
});

it.each(["--skip-worktree", "--assume-unchanged"])("an edit that %s hides keeps it", async (flag) => {
  const { path, reason } = await workspace();
  await git(["update-index", flag, "config.json"], { cwd: path });
  await writeFile(join(path, "config.json"), '{ "edited": true }\n');
  expect(await reason()).toContain("config.json");
});

it.each(["scratch/work", "node_modules/dependency", "node_modules/@scope/dependency", "dist/site", "dist"])(
  "a nested clone with its own commit keeps the workspace: %s",
  async (inside) => {
    const { repository, path, reason } = await workspace();
    await writeFile(join(path, "package.json"), "{}\n");
    await git(["add", "package.json"], { cwd: path });
    await git(["commit", "--quiet", "--message", "manifest"], { cwd: path });
    await git(["merge", "--quiet", "grove/one"], { cwd: repository });
    await mkdir(join(path, inside, ".."), { recursive: true });
    await cloneWithWork(repository, join(path, inside));
    expect(await reason()).toContain(inside);
  },
);

it("a workspace that is asked for again still keeps the commits that were made in it", async () => {
  const { device, projectId } = await setUp([]);
  const first = await make(device, projectId, "one");
  await commit(first.path, "work.txt", "work\n");
  const again = await make(device, projectId, "one");
  expect(again).toMatchObject({ id: first.id, alreadyExisted: true });
  expect((await remove(device, [first.id]))[0]?.error?.message).toContain("1 commit");
});
