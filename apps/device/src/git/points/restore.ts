import { lstat } from "node:fs/promises";
import { CommandFailure } from "../../errors";
import { listShort } from "../../lib/listShort";
import { bytePath } from "../diff/contentId";
import { shown } from "../diff/rawNames";
import { currentCommit } from "../refs";
import { whenUnlocked } from "../repositoryLocks";
import { GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";
import { withSnapshot } from "./snapshot";
import { savePoint, treeOf } from "./writePoint";

/** The variable of the git processes that restore a worktree; its value is the worktree's path. */
export const RESTORED_WORKTREE = "GROVE_RESTORED_WORKTREE";

export interface Restoration {
  workspaceId: string;
  /** The commit whose files are restored. */
  point: string;
  /** The files that were staged when the point was made, as a commit. */
  staged: string;
  /** The commit that HEAD was at when the point was made. */
  pointHead: string;
  /** The commit to which the branch goes; HEAD stays if it is the current one. */
  head: string;
}

/**
 * Restores the files of a point, then moves the branch, then restores the index. Files that git ignores stay. A restore
 * point is made first, so a restoration that was cut off can be repeated.
 * @param decided called with the restore point before anything is changed
 * @returns the restore point of the replaced files
 * @throws {CommandFailure} `files_in_the_way`, with nothing changed
 */
export const restore = (
  worktree: OpenWorktree,
  wanted: Restoration,
  signal: AbortSignal,
  decided: (newPoint: string) => Promise<void>,
): Promise<string> =>
  withSnapshot(worktree, signal, async (snapshot) => {
    const made = await savePoint(worktree, snapshot, wanted);
    const target = await treeOf(worktree.git, wanted.point);
    await requireFree(worktree, made.tree, target);
    await decided(made.point);
    await replaceFiles(worktree, { from: made.tree, to: target, indexFile: snapshot.indexFile });
    await moveHead(worktree, wanted.head);
    const staged = wanted.head === wanted.pointHead ? wanted.staged : wanted.head;
    await whenUnlocked(() => resetIndex(worktree, staged), signal);
    return made.point;
  });

/**
 * A restored file must not replace one that no restore point contains, because git ignores it or it is too large.
 * @throws {CommandFailure} `files_in_the_way`
 */
export async function requireFree({ git, path }: OpenWorktree, from: string, to: string): Promise<void> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", from, to];
  const added = (await git(args, { encoding: "latin1" })).split("\0").filter((name) => name !== "");
  const present: string[] = [];
  for (const name of added)
    if (await lstat(bytePath(path, name)).catch(() => undefined)) present.push(shown(name));
  if (present.length > 0) throw inTheWay(present);
}

const inTheWay = (names: string[]) =>
  new CommandFailure(
    "files_in_the_way",
    `This would overwrite files that are in no restore point: ${listShort(names)}. Move them out of the worktree, then try again.`,
  );

/**
 * Replaces the files of one tree by the files of another. Git checks all files before it changes the first.
 * @param files.indexFile an index of the files in `from`
 */
export async function replaceFiles(
  { git, path }: OpenWorktree,
  { from, to, indexFile }: { from: string; to: string; indexFile: string },
): Promise<void> {
  const options = { indexFile, mark: { [RESTORED_WORKTREE]: path } };
  await refresh(git, indexFile);
  try {
    // Without a signal: half a restoration is useless.
    await git(["read-tree", "-m", "-u", "--no-recurse-submodules", from, to], options);
  } catch (error) {
    if (!(error instanceof GitError) || !/overwritten|not uptodate|would be removed/.test(error.stderr))
      throw error;
    throw new CommandFailure(
      "files_in_the_way",
      `Files have changed in the meantime, or are in no restore point: ${error.message}. Nothing was changed. Try again.`,
    );
  }
}

/** Moves the checked out branch, or a detached HEAD. */
async function moveHead({ git, path }: OpenWorktree, head: string): Promise<void> {
  const current = await currentCommit(git, path);
  if (current === undefined || current === head) return;
  await git(["update-ref", "-m", "grove: restore", "HEAD", head, current]);
}

export async function resetIndex({ git, path }: OpenWorktree, commit: string): Promise<void> {
  const options = { mark: { [RESTORED_WORKTREE]: path } };
  await git(["read-tree", "--reset", "--no-recurse-submodules", commit], options);
  await refresh(git);
}

/** Records the time and size of unchanged files. Git exits with 1 if there are changed ones. */
async function refresh(git: OpenWorktree["git"], indexFile?: string): Promise<void> {
  await git(["update-index", "-q", "--refresh"], indexFile === undefined ? {} : { indexFile }).catch(
    (error) => {
      if (!(error instanceof GitError && error.code === 1)) throw error;
    },
  );
}
