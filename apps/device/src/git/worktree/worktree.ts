import { mkdir, rm, rmdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { timeoutSignal } from "@grove/signals";
import { isThere } from "../../lib/fileSystem";
import { comparedBase, type RecordedBase } from "../compareBase";
import { type Operation, readOperation } from "../operation";
import { type Progress, reportPercentage } from "../progress";
import { currentBranch } from "../refs";
import { type Git, UNCANCELED_MS } from "../run";
import { readStatus } from "../status";
import { changesSince, type InitialState } from "./initialState";
import type { OpenWorktree } from "./openWorktree";

export interface NewWorktree {
  /** The repository's main work tree, or any other of its trees. */
  repository: string;
  path: string;
  branch: string;
  /** The commit that is checked out. A new branch begins at it; an existing one is already there. */
  commit: string;
  /** Whether the branch already exists and is not checked out elsewhere. It is checked out, and never deleted. */
  keepBranch?: boolean | undefined;
  /** The remote's branch (`origin/x`) that a new branch copies and tracks. */
  upstream?: string | undefined;
}

/** A worktree as git lists it. */
export interface ListedWorktree {
  path: string;
  /** Undefined with a detached HEAD. */
  branch: string | undefined;
  bare: boolean;
  /** Whether git is still making it, or was killed while it did. */
  initializing: boolean;
  /** The reason of `git worktree lock`, empty if none was given; undefined if it is not locked. */
  lock: string | undefined;
}

/** The environment variable of the git process that creates a worktree; its value is the worktree's path. */
export const ADDED_WORKTREE = "GROVE_ADDED_WORKTREE";

/**
 * Makes a worktree, on a new or an existing branch. If it fails or is aborted, {@link discardWorktree} removes the
 * remains.
 * @throws {GitError}, or the signal's reason; EEXIST with nothing done if the path already exists
 */
export async function addWorktree(
  git: Git,
  wanted: NewWorktree,
  signal?: AbortSignal,
  progress?: Progress,
): Promise<void> {
  const { branch, commit, keepBranch, upstream } = wanted;
  // --no-track: a push from the new branch must never go to the branch it came from.
  const branchFlags = keepBranch ? [] : [upstream === undefined ? "--no-track" : "--track", "-b", branch];
  // The full name of the upstream, since a tag or a local branch may have the short one.
  const startPoint = keepBranch ? branch : upstream === undefined ? commit : `refs/remotes/${upstream}`;
  await add(git, wanted, { flags: branchFlags, startPoint }, signal, progress);
}

/** Like {@link addWorktree}, on no branch. `removeWorktree` removes it, complete or not. */
export const addDetachedWorktree = (
  git: Git,
  { commit, ...where }: Pick<NewWorktree, "repository" | "path" | "commit">,
  signal?: AbortSignal,
  progress?: Progress,
): Promise<void> => add(git, where, { flags: ["--detach"], startPoint: commit }, signal, progress);

async function add(
  git: Git,
  { repository, path }: Pick<NewWorktree, "repository" | "path">,
  { flags, startPoint }: { flags: string[]; startPoint: string },
  signal?: AbortSignal,
  progress: Progress = () => {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Only one process can create the directory. If two start together, git would let both continue.
  await mkdir(path);
  try {
    // --force twice: git may still record a worktree, perhaps a locked one, at this path although its directory no
    // longer exists. Not --quiet: after two seconds git reports how many files it has written, and how many git-lfs has
    // fetched.
    await git(["worktree", "add", "--force", "--force", ...flags, "--", path, startPoint], {
      cwd: repository,
      signal,
      mark: { [ADDED_WORKTREE]: path },
      onErrorLine: (line) => reportPercentage(line, progress),
    });
  } catch (error) {
    // Succeeds only if git has not begun to fill it.
    await rmdir(path).catch(() => {});
    throw error;
  }
}

/**
 * Explains why a worktree's files may not have fitted on the disk, which git itself does not report. Returns the space
 * that they need and the space that is free now that git has removed what it wrote. Undefined if the space suffices.
 */
export async function spaceMissing(
  git: Git,
  { repository, path, commit }: NewWorktree,
): Promise<string | undefined> {
  const options = { cwd: repository, signal: timeoutSignal(10_000) };
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
 * Removes a worktree that was just made or half-made, with everything in it: the directory, git's record, and the
 * parent directory if it is empty. A new branch is removed too if it still points to the commit where it began. No
 * abort stops it.
 */
export async function discardWorktree(
  git: Git,
  { repository, path, branch, commit, keepBranch }: NewWorktree,
): Promise<void> {
  const options = { cwd: repository, signal: timeoutSignal(UNCANCELED_MS) };
  // Forced twice, since it may still be locked as `initializing`. Fails if git had not recorded anything yet.
  await git(["worktree", "remove", "--force", "--force", "--", path], options).catch(() => {});
  await rm(path, { recursive: true, force: true });
  if (!keepBranch) await git(["update-ref", "-d", `refs/heads/${branch}`, commit], options).catch(() => {});
  await rmdir(dirname(path)).catch(() => {});
}

/**
 * Whether a new worktree is unused since its {@link statusOf} was `status`: same changes, no own commits, not
 * locked. An untracked file that already existed may have changed.
 * @param commit the commit that it began with
 */
export async function isUntouched(tree: OpenWorktree, commit: string, status: string): Promise<boolean> {
  const options = { signal: timeoutSignal(UNCANCELED_MS) };
  const [now, head, isLocked] = await Promise.all([
    statusOf(tree),
    tree.git(["rev-parse", "HEAD"], options),
    isThere(join(tree.gitDir, "locked")),
  ]);
  return !isLocked && now === status && head.trim() === commit;
}

/** The uncommitted changes of a new worktree, for {@link isUntouched}. Empty unless its setup has made files. */
export async function statusOf(tree: OpenWorktree): Promise<string> {
  const changes = await readStatus(tree, timeoutSignal(UNCANCELED_MS));
  return changes.map(({ status, path }) => `${status} ${path}\n`).join("");
}

/** The reason with which git itself locks a worktree while it makes it. */
const INITIALIZING = "initializing";

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
        initializing: value("locked") === INITIALIZING,
        lock: lines.includes("locked") ? "" : value("locked") === INITIALIZING ? undefined : value("locked"),
      };
    });
}

export interface WorktreeStatus {
  /** Null with a detached HEAD, except during an operation on a branch. */
  branch: string | null;
  operation?: Operation["kind"];
  dirty: boolean;
  ahead: number | null;
  behind: number | null;
}

/**
 * The state of a worktree, compared with the branch it came from.
 * @throws {GitError}
 */
export async function worktreeStatus(
  tree: OpenWorktree,
  base: RecordedBase,
  initial: InitialState,
  signal?: AbortSignal,
): Promise<WorktreeStatus> {
  const { git, path } = tree;
  const options = { signal };
  const [branch, operation, changes, compared] = await Promise.all([
    currentBranch(git, path),
    readOperation(tree.gitDir),
    changesSince(tree, initial, signal),
    comparedBase(tree, base, signal),
  ]);
  const range = compared && ["rev-list", "--left-right", "--count", `${compared.commit}...HEAD`];
  const counted = range && (await git(range, options));
  const [behind, ahead] = counted?.trim().split("\t").map(Number) ?? [];
  return {
    branch: branch ?? operation?.branch ?? null,
    ...(operation && { operation: operation.kind }),
    dirty: changes.length > 0,
    ahead: ahead ?? null,
    // How far a base that no longer exists moved on is unknown.
    behind: (compared?.isCurrent ? behind : undefined) ?? null,
  };
}
