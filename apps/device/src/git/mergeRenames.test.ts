import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { commit, git, makeRepository } from "../testing/repository";
import { mergeRenames } from "./mergeRenames";
import { readStatus } from "./status";
import { openWorktree } from "./worktree/openWorktree";

const signal = new AbortController().signal;
const TEXT = "one\ntwo\nthree\n";

/** A worktree in which these files are committed, each with a text of its own. */
async function setUp(...files: string[]) {
  const directory = await temporaryDirectory();
  const repository = await makeRepository(join(directory, "app"));
  const path = join(directory, "tree");
  await git(["worktree", "add", "--quiet", "-b", "work", path], { cwd: repository });
  for (const file of files) await commit(path, file, `${TEXT}${file}\n`);
  const move = async (from: string, to: string) => {
    await mkdir(join(path, to, ".."), { recursive: true });
    await rename(join(path, from), join(path, to));
  };
  const changes = async () => {
    const tree = await openWorktree(git, repository, path);
    return mergeRenames(tree, await readStatus(tree, signal), signal);
  };
  return { path, move, changes };
}

it("lists a rename that is not staged as one change", async () => {
  const { move, changes } = await setUp("an old name", "other");
  await move("an old name", 'a "new" näme\n');
  expect(await changes()).toEqual([{ status: " R", oldPath: "an old name", path: 'a "new" näme\n' }]);
});

it("lists a staged rename with changes as one change", async () => {
  const { path, move, changes } = await setUp("old");
  await move("old", "new");
  await git(["add", "--all"], { cwd: path });
  await writeFile(join(path, "new"), `${TEXT}old\nmore\n`);
  expect(await changes()).toEqual([{ status: "R ", oldPath: "old", path: "new" }]);
});

it("lists an untracked directory only if it has other files than renamed ones", async () => {
  const { path, move, changes } = await setUp("a", "b");
  await move("a", "one/deep/a");
  await move("b", "two/b");
  await writeFile(join(path, "two/new"), "");
  expect(await changes()).toEqual([
    { status: " R", oldPath: "a", path: "one/deep/a" },
    { status: " R", oldPath: "b", path: "two/b" },
    { status: "??", path: "two/" },
  ]);
});

it("keeps a deleted file, a new one, and a repository in the worktree apart", async () => {
  const { path, changes } = await setUp("old");
  await rm(join(path, "old"));
  await writeFile(join(path, "new"), "something else\n");
  await makeRepository(join(path, "nested"));
  expect(await changes()).toEqual([
    { status: " D", path: "old" },
    { status: "??", path: "nested/" },
    { status: "??", path: "new" },
  ]);
});

it("lists a rename to a name that is not UTF-8", async () => {
  const { path, changes } = await setUp("old");
  await rename(join(path, "old"), Buffer.concat([Buffer.from(`${path}/n`), Buffer.from([0xff])]));
  expect(await changes()).toEqual([{ status: " R", oldPath: "old", path: "n\ufffd" }]);
});
