import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isErrno } from "../home/home";
import { isCommit } from "./refs";
import { asks, type Git, GitError } from "./run";

export interface RemovedWorktree {
  /** The repository's main work tree; null when that is gone. */
  repository: string | null;
  path: string;
  /** Where the directory goes before its files do: a place of its own on the same file system. */
  trash: string;
}

const TRASH = ".removing-";

/** A name that {@link emptyTrash} knows. */
export const trashName = (id: string): string => `${TRASH}${id}`;

/**
 * Takes a worktree away: it is there whole until one rename moves it to the trash. Called again, it comes to the same.
 * Not stopped by any abort.
 * @throws the file system's error, with the worktree still in place
 */
export async function removeWorktree(git: Git, { repository, path, trash }: RemovedWorktree): Promise<void> {
  await rename(path, trash).catch((error) => {
    if (!isErrno(error, "ENOENT")) throw error;
  });
  if (repository !== null) {
    const options = { cwd: repository, signal: AbortSignal.timeout(60_000) };
    // Forced twice, for somebody may have locked it. It fails where git has no record of it.
    await git(["worktree", "remove", "--force", "--force", "--", path], options).catch(() => {});
  }
  await rmdir(dirname(path)).catch(() => {});
}

/**
 * Removes the files of a worktree that was taken away.
 * @returns why some are left, in words; undefined when none is
 */
export async function removeFiles(trash: string): Promise<string | undefined> {
  try {
    await rm(trash, { recursive: true, force: true, maxRetries: 3 });
    return undefined;
  } catch (error) {
    return `Some of its files could not be removed and lie in ${trash}: ${(error as Error).message}`;
  }
}

/** Removes what removals that were cut off by a crash have left. */
export async function emptyTrash(worktreesDir: string): Promise<void> {
  for (const name of await readdir(worktreesDir))
    if (name.startsWith(TRASH))
      await rm(join(worktreesDir, name), { recursive: true, force: true }).catch(() => {});
}

export interface BranchToDelete {
  repository: string;
  branch: string;
  /** Branches that it counts as merged into, by short name; a remote's of the same name count too. */
  bases: readonly string[];
  /** Also when it is not merged. */
  force: boolean;
}

/**
 * Deletes a branch.
 * @returns why it stays, in words; undefined when it is gone
 * @throws {GitError} when git cannot do it for another reason, its own lock above all
 */
export async function deleteBranch(
  git: Git,
  { repository, branch, bases, force }: BranchToDelete,
): Promise<string | undefined> {
  const options = { cwd: repository, signal: AbortSignal.timeout(60_000) };
  const ref = `refs/heads/${branch}`;
  if (!(await asks(git(["show-ref", "--quiet", "--verify", "--", ref], options)))) return undefined;
  if (!force && !(await isMerged(git, repository, branch, bases)))
    return `The branch '${branch}' stays: it is not merged into ${bases.map((base) => `'${base}'`).join(" or ")}. Merge it, or use force.`;
  try {
    await git(["branch", "--quiet", "-D", "--", branch], options);
    return undefined;
  } catch (error) {
    // "error: Cannot delete branch 'x' checked out at '/path'", since 2.43 "cannot delete branch 'x' used by worktree".
    if (error instanceof GitError && /annot delete branch/.test(error.stderr))
      return `The branch '${branch}' stays: another worktree has it checked out.`;
    throw error;
  }
}

async function isMerged(
  git: Git,
  repository: string,
  branch: string,
  bases: readonly string[],
): Promise<boolean> {
  const format = "--format=%(refname)";
  const ref = `refs/heads/${branch}`;
  const listed = await git(["for-each-ref", "--contains", ref, format, "refs/heads/", "refs/remotes/"], {
    cwd: repository,
  });
  const holders = new Set(listed.split("\n").filter((holder) => holder !== ref));
  for (const base of bases.filter(isCommit))
    if (await asks(git(["merge-base", "--is-ancestor", ref, base], { cwd: repository }))) return true;
  return bases.some((base) =>
    ["refs/heads/", "refs/remotes/", "refs/remotes/origin/"].some((place) => holders.has(`${place}${base}`)),
  );
}
