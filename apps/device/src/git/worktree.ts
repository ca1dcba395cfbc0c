import { mkdir, rm, rmdir, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { OpenWorktree } from "./openWorktree";
import { currentBranch } from "./refs";
import type { Git } from "./run";
import { readStatus } from "./status";

export interface NewWorktree {
  /** The repository's main work tree, or any other of its trees. */
  repository: string;
  path: string;
  branch: string;
  /** The commit that is checked out: the branch begins at it, or stands there. */
  commit: string;
  /** The branch is there already, and in no other worktree. It is checked out, and never deleted. */
  keepBranch?: boolean | undefined;
  /** The remote's branch (`origin/x`) that a new branch copies and follows. */
  upstream?: string | undefined;
}

/** A worktree as git lists it. */
export interface ListedWorktree {
  path: string;
  /** Undefined with a detached HEAD. */
  branch: string | undefined;
  bare: boolean;
  /** git is still making it, or was killed while it did. */
  initializing: boolean;
}

/**
 * Makes a worktree, on a new branch or on one that is there. When it fails or is aborted, {@link discardWorktree} takes
 * away what there is of it.
 * @throws {GitError}, or the signal's reason; EEXIST with nothing done, when there is something at the path
 */
export async function addWorktree(git: Git, wanted: NewWorktree, signal?: AbortSignal): Promise<void> {
  const { repository, path, branch, commit, keepBranch, upstream } = wanted;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The directory is taken by one process alone: git would let the second of two that begin together go on.
  await mkdir(path);
  // --force twice: git may still have a worktree recorded at this path, locked perhaps, whose directory is gone.
  // --no-track: a push from the new branch must never go to the branch it came from.
  // --quiet: should the agent die, git does not fail at its broken pipes and finishes what it is at.
  const add = ["worktree", "add", "--quiet", "--force", "--force"];
  const how = keepBranch ? [] : [upstream === undefined ? "--no-track" : "--track", "-b", branch];
  const from = keepBranch ? branch : (upstream ?? commit);
  try {
    await git([...add, ...how, "--", path, from], { cwd: repository, signal });
  } catch (error) {
    // Only where git has not begun to fill it.
    await rmdir(path).catch(() => {});
    throw error;
  }
}

/**
 * Why a worktree's files may not have fitted on the disk, which git itself does not say: what they need, and what is
 * free now that git has taken away what it wrote. Undefined when there is room for them.
 */
export async function spaceMissing(
  git: Git,
  { repository, path, commit }: NewWorktree,
): Promise<string | undefined> {
  const options = { cwd: repository, signal: AbortSignal.timeout(10_000) };
  const listed = await git(["ls-tree", "-r", "-l", "--full-tree", commit], options);
  // "100644 blob <id>    1234\t<path>"
  const sizes = [...listed.matchAll(/^\S+ blob \S+ +(\d+)\t/gm)].map(([, size]) => Number(size));
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = await statfs(dirname(dirname(path)));
  const free = bavail * bsize;
  return needed > free ? `it needs ${inMib(needed)} MiB, and ${inMib(free)} MiB are free` : undefined;
}

const inMib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/**
 * Takes away a worktree that was just made, or half-made, with all that is in it: the directory, git's record, the
 * branch if it was new and still stands where it began, and the parent directory if that is empty. Not stopped by any
 * abort.
 */
export async function discardWorktree(
  git: Git,
  { repository, path, branch, commit, keepBranch }: NewWorktree,
): Promise<void> {
  const options = { cwd: repository, signal: AbortSignal.timeout(60_000) };
  // Twice, for it may still be locked as `initializing`. It fails where git had not recorded anything yet.
  await git(["worktree", "remove", "--force", "--force", "--", path], options).catch(() => {});
  await rm(path, { recursive: true, force: true });
  if (!keepBranch) await git(["update-ref", "-d", `refs/heads/${branch}`, commit], options).catch(() => {});
  await rmdir(dirname(path)).catch(() => {});
}

/**
 * Whether nobody has begun to work in a worktree since its {@link statusOf} was `status`: same changes, no commits of its
 * own. A file that was there already and not tracked may have changed.
 * @param commit what it began with
 */
export async function isUntouched(tree: OpenWorktree, commit: string, status: string): Promise<boolean> {
  const options = { signal: AbortSignal.timeout(60_000) };
  const [now, head] = await Promise.all([statusOf(tree), tree.git(["rev-parse", "HEAD"], options)]);
  return now === status && head.trim() === commit;
}

/** What is not committed in a new worktree, for {@link isUntouched}: empty unless its setup has made files. */
export async function statusOf(tree: OpenWorktree): Promise<string> {
  const changes = await readStatus(tree, AbortSignal.timeout(60_000));
  return changes.map(({ status, path }) => `${status} ${path}\n`).join("");
}

/** All worktrees of a repository, the main one first. */
export async function listWorktrees(git: Git, repository: string): Promise<ListedWorktree[]> {
  const listed = await git(["worktree", "list", "--porcelain"], { cwd: repository });
  return listed
    .split("\n\n")
    .filter((block) => block.trim() !== "")
    .map((block) => {
      const lines = block.split("\n");
      const value = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
      return {
        path: value("worktree") ?? "",
        branch: value("branch")?.replace(/^refs\/heads\//, ""),
        bare: lines.includes("bare"),
        initializing: value("locked") === "initializing",
      };
    });
}

export interface WorktreeStatus {
  /** Null with a detached HEAD. */
  branch: string | null;
  dirty: boolean;
  ahead: number | null;
  behind: number | null;
}

/**
 * What a worktree's state is, compared with the branch it came from.
 * @throws {GitError}
 */
export async function worktreeStatus(
  tree: OpenWorktree,
  base: string,
  signal?: AbortSignal,
): Promise<WorktreeStatus> {
  const { git, path } = tree;
  const options = { signal };
  const [branch, changes] = await Promise.all([currentBranch(git, path), readStatus(tree, signal)]);
  const counted = await git(
    ["rev-list", "--left-right", "--count", "--end-of-options", `${base}...HEAD`],
    options,
  ).catch(() => undefined);
  const [behind, ahead] = counted?.trim().split("\t").map(Number) ?? [];
  return {
    branch: branch ?? null,
    dirty: changes.length > 0,
    ahead: ahead ?? null,
    behind: behind ?? null,
  };
}
