import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { isErrno } from "../../lib/fileSystem";
import { isCommit, readRefs } from "../refs";
import { exitsWithZero, type Git, GitError, UNCANCELED_MS } from "../run";
import { findMerged, mergeTargets } from "../unsavedWork/merged";

export interface RemovedWorktree {
  /** The repository's main work tree; null if it no longer exists. */
  repository: string | null;
  path: string;
  /** The path to which the directory is moved before its files are removed, on the same file system. */
  trash: string;
}

const TRASH = ".removing-";

/** A name that {@link emptyTrash} recognizes. */
export const trashName = (id: string): string => `${TRASH}${id}`;

/**
 * Removes a worktree. It stays complete until a single rename moves it to the trash. Repeating the call is safe, and no
 * abort stops it.
 * @throws {Error} the file system's, with the worktree still in place
 */
export async function removeWorktree(git: Git, { repository, path, trash }: RemovedWorktree): Promise<void> {
  await rename(path, trash).catch((error) => {
    if (!isErrno(error, "ENOENT")) throw error;
  });
  if (repository !== null) {
    const options = { cwd: repository, signal: timeoutSignal(UNCANCELED_MS) };
    // Forced twice, since the worktree may be locked. Fails if git has no record of it.
    await git(["worktree", "remove", "--force", "--force", "--", path], options).catch(() => {});
  }
  await rmdir(dirname(path)).catch(() => {});
}

/**
 * Removes the files of a removed worktree.
 * @returns why some are left, in words; undefined if none is
 */
export async function removeFiles(trash: string): Promise<string | undefined> {
  try {
    await rm(trash, { recursive: true, force: true, maxRetries: 3 });
    return undefined;
  } catch (error) {
    return `Some of its files could not be removed and are left in ${trash}: ${messageOf(error)}`;
  }
}

/** Removes the remains of removals that a crash cut off. */
export async function emptyTrash(worktreesDir: string): Promise<void> {
  for (const name of await readdir(worktreesDir))
    if (name.startsWith(TRASH))
      await rm(join(worktreesDir, name), { recursive: true, force: true }).catch(() => {});
}

export interface BranchToDelete {
  repository: string;
  branch: string;
  /**
   * Short names of branches, one of which must contain the deleted branch. A remote's branches of the same name count
   * too.
   */
  bases: readonly string[];
  /** Whether to delete the branch even if it is not merged. */
  force: boolean;
}

/**
 * Deletes a branch.
 * @returns why it stays, in words; undefined if it was deleted
 * @throws {GitError} if git fails for another reason, especially its own lock
 */
export async function deleteBranch(
  git: Git,
  { repository, branch, bases, force }: BranchToDelete,
): Promise<string | undefined> {
  const options = { cwd: repository, signal: timeoutSignal(UNCANCELED_MS) };
  const ref = `refs/heads/${branch}`;
  if (!(await exitsWithZero(git(["show-ref", "--quiet", "--verify", "--", ref], options)))) return undefined;
  if (!force && !(await isMerged(git, { repository, branch, bases })))
    return `The branch '${branch}' was kept: it is not merged into ${bases.map((base) => `'${base}'`).join(" or ")}, not even squashed or rebased. Merge it, or use force.`;
  try {
    await git(["branch", "--quiet", "-D", "--", branch], options);
    return undefined;
  } catch (error) {
    // "error: Cannot delete branch 'x' checked out at '/path'", since 2.43 "cannot delete branch 'x' used by worktree".
    if (error instanceof GitError && /annot delete branch/.test(error.stderr))
      return `The branch '${branch}' was kept: another worktree has it checked out.`;
    throw error;
  }
}

/** Whether one of the bases contains a branch, as last fetched. */
export async function isMerged(
  git: Git,
  { repository, branch, bases }: Omit<BranchToDelete, "force">,
): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  for (const base of bases.filter(isCommit))
    if (await exitsWithZero(git(["merge-base", "--is-ancestor", ref, base], { cwd: repository })))
      return true;
  const targets = mergeTargets(await readRefs(git, repository), bases).filter((target) => target !== ref);
  return (await findMerged(git, repository, { tip: ref, targets })) !== undefined;
}
