import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { branches, commit, git, makeRepository } from "../../testing/repository";
import { createGit } from "../run";
import { EMPTY_INITIAL_STATE } from "./initialState";
import { openWorktree } from "./openWorktree";
import {
  addWorktree,
  discardWorktree,
  isUntouched,
  listWorktrees,
  type NewWorktree,
  statusOf,
  worktreeStatus,
} from "./worktree";

async function setUp(
  branch = "grove/swift otter".replace(" ", "-"),
): Promise<NewWorktree & { trees: string }> {
  const directory = await temporaryDirectory();
  const repository = await makeRepository(join(directory, "répo with space"));
  const head = (await git(["rev-parse", "HEAD"], { cwd: repository })).trim();
  const trees = join(directory, "trees");
  return { repository, trees, path: join(trees, "app", "swift otter"), branch, commit: head };
}

const opened = ({ repository, path }: NewWorktree) => openWorktree(git, repository, path);

it.each(["grove/swift-otter", "feature/深い/päth", "plain"])(
  "a worktree on the new branch %s",
  async (branch) => {
    const wanted = await setUp(branch);
    await addWorktree(git, wanted);
    const main = {
      path: wanted.repository,
      branch: "main",
      bare: false,
      initializing: false,
      lock: undefined,
    };
    expect(await listWorktrees(git, wanted.repository)).toEqual([
      main,
      { ...main, path: wanted.path, branch },
    ]);
    expect(
      await worktreeStatus(
        await opened(wanted),
        { baseBranch: "main", baseCommit: wanted.commit },
        EMPTY_INITIAL_STATE,
      ),
    ).toEqual({
      branch,
      dirty: false,
      ahead: 0,
      behind: 0,
    });
    expect((await stat(wanted.trees)).mode & 0o777).toBe(0o700);
  },
);

it("the checkout of a worktree reports how far it is", async () => {
  const wanted = await setUp();
  for (const name of ["one.txt", "two.txt", "three.txt"]) await commit(wanted.repository, name);
  const head = await git(["rev-parse", "HEAD"], { cwd: wanted.repository });
  // Otherwise git waits for two seconds before it reports anything.
  const eager = createGit({ ...process.env, GIT_PROGRESS_DELAY: "0" });
  const reports: [string, number | undefined][] = [];
  await addWorktree(eager, { ...wanted, commit: head.trim() }, undefined, (message, fraction) => {
    reports.push([message, fraction]);
  });
  expect(reports.at(-1)).toEqual(["Updating files 100%", 1]);
});

it("a worktree's state: dirty, ahead, behind, detached, without a base", async () => {
  const wanted = await setUp();
  await addWorktree(git, wanted);
  await commit(wanted.path, "mine.txt");
  await commit(wanted.path, "mine-too.txt");
  await commit(wanted.repository, "theirs.txt");
  await writeFile(join(wanted.path, "new file"), "");
  expect(
    await worktreeStatus(
      await opened(wanted),
      { baseBranch: "main", baseCommit: wanted.commit },
      EMPTY_INITIAL_STATE,
    ),
  ).toEqual({
    branch: wanted.branch,
    dirty: true,
    ahead: 2,
    behind: 1,
  });
  await git(["checkout", "--quiet", "--detach"], { cwd: wanted.path });
  expect(
    await worktreeStatus(
      await opened(wanted),
      { baseBranch: "gone", baseCommit: wanted.commit },
      EMPTY_INITIAL_STATE,
    ),
  ).toEqual({
    branch: null,
    dirty: true,
    ahead: 2,
    behind: null,
  });
});

it("discarding leaves no trace, and the same can be made again", async () => {
  const wanted = await setUp();
  await addWorktree(git, wanted);
  await writeFile(join(wanted.path, "new file"), "");
  await discardWorktree(git, wanted);
  expect(await readdir(wanted.trees)).toEqual([]);
  expect(await branches(wanted.repository)).toEqual(["main"]);
  expect(await listWorktrees(git, wanted.repository)).toHaveLength(1);
  await discardWorktree(git, wanted);
  await addWorktree(git, wanted);
});

it("discarding keeps a branch that has commits of its own, and a neighbour's directory", async () => {
  const wanted = await setUp();
  const neighbour = { ...wanted, path: join(wanted.trees, "app", "neighbour"), branch: "neighbour" };
  await addWorktree(git, wanted);
  await addWorktree(git, neighbour);
  await commit(wanted.path, "work.txt");
  await discardWorktree(git, wanted);
  expect(await branches(wanted.repository)).toContain(wanted.branch);
  expect(await isThere(neighbour.path)).toBe(true);
});

it("a person's changes are distinguished from those of a setup", async () => {
  const [dirty, ahead, locked, untouched] = await Promise.all([
    setUp("dirty"),
    setUp("ahead"),
    setUp("locked"),
    setUp("untouched"),
  ]);
  const statuses: string[] = [];
  for (const wanted of [dirty, ahead, locked, untouched]) {
    await addWorktree(git, wanted);
    await writeFile(join(wanted.path, "made by setup"), "");
    statuses.push(await statusOf(await opened(wanted)));
  }
  await writeFile(join(dirty.path, "new file"), "");
  await commit(ahead.path, "work.txt");
  await git(["worktree", "lock", "--", locked.path], { cwd: locked.repository });
  const all = [dirty, ahead, locked, untouched].map(async (made, n) =>
    isUntouched(await opened(made), made.commit, statuses[n] ?? ""),
  );
  expect(await Promise.all(all)).toEqual([false, false, false, true]);
});

it("hooks of the repository are not run", async () => {
  const wanted = await setUp();
  await git(["config", "core.hooksPath", "hooks"], { cwd: wanted.repository });
  await makeRepositoryHook(wanted.repository, `touch '${join(wanted.trees, "ran")}'; exit 1`);
  await addWorktree(git, wanted);
  expect(await isThere(join(wanted.trees, "ran"))).toBe(false);
});

async function makeRepositoryHook(repository: string, script: string): Promise<void> {
  const { chmod, mkdir } = await import("node:fs/promises");
  await mkdir(join(repository, "hooks"));
  await writeFile(join(repository, "hooks", "post-checkout"), `#!/bin/sh\n${script}\n`);
  await chmod(join(repository, "hooks", "post-checkout"), 0o755);
}
