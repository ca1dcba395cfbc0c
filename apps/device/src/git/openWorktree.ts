import { constants } from "node:fs";
import { lstat, open, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Git } from "./run";

/** A worktree whose `.git` is the one that git made, with git to run on it. */
export interface OpenWorktree {
  path: string;
  /** The directory in the repository where git keeps this worktree's own state. */
  gitDir: string;
  /** The repository's own directory. */
  commonDir: string;
  /** The original git, not tied to this worktree. */
  plainGit: Git;
  /** git on this worktree with its repository's configuration, even if the `.git` in it has changed since. */
  git: Git;
}

/** The `.git` of a worktree does not lead to its repository. */
export class NotItsWorktreeError extends Error {}

/** Enough for a path and a few words. */
const MAX_LINK_BYTES = 8 * 1024;

/**
 * Opens a worktree of a repository for git. A program confined to the worktree could replace its `.git` by one that
 * leads to a configuration of its own, and thereby make git run any command. So that file is read and checked here,
 * and git is given the repository's path.
 * @param repository its main work tree, which is trusted
 * @throws {NotItsWorktreeError} saying what is wrong with the `.git`
 */
export async function openWorktree(git: Git, repository: string, path: string): Promise<OpenWorktree> {
  const commonDir = await commonDirOf(git, repository);
  const gitDir = await followLink(path);
  const back = await readFile(join(gitDir, "gitdir"), "utf8").catch(() => "");
  const isItsOwn =
    dirname(gitDir) === join(commonDir, "worktrees") &&
    (await realpathOf(dirname(resolve(gitDir, back.trim())))) === (await realpathOf(path));
  if (!isItsOwn) throw new NotItsWorktreeError(`its .git leads to ${gitDir}, which is not this worktree's`);
  return openAt(git, { path, gitDir, commonDir });
}

/**
 * Opens a submodule of a worktree.
 * @returns undefined if its `.git` does not lead into the repository's own modules
 */
export async function openSubmodule(
  { plainGit, gitDir: above, commonDir }: OpenWorktree,
  path: string,
): Promise<OpenWorktree | undefined> {
  const gitDir = await followLink(path).catch(() => undefined);
  const isOwn = [above, commonDir].some((directory) => gitDir?.startsWith(`${join(directory, "modules")}/`));
  return gitDir !== undefined && isOwn ? openAt(plainGit, { path, gitDir, commonDir }) : undefined;
}

const openAt = (git: Git, places: Omit<OpenWorktree, "git" | "plainGit">): OpenWorktree => ({
  ...places,
  plainGit: git,
  git: (args, options) =>
    git([`--git-dir=${places.gitDir}`, `--work-tree=${places.path}`, ...args], {
      ...options,
      cwd: places.path,
    }),
});

async function commonDirOf(git: Git, repository: string): Promise<string> {
  const directory = join(repository, ".git");
  if ((await lstat(directory)).isDirectory()) return realpath(directory);
  const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  return realpath((await git(asked, { cwd: repository })).trimEnd());
}

/** The directory that the `.git` of a work tree names, with links resolved. @throws {NotItsWorktreeError} */
async function followLink(path: string): Promise<string> {
  const target = /^gitdir: (.+?)\n*$/.exec((await readLink(join(path, ".git"))) ?? "")?.[1];
  if (target === undefined) throw new NotItsWorktreeError("its .git is not the file that git made");
  const found = await realpathOf(resolve(path, target));
  if (found === undefined)
    throw new NotItsWorktreeError(`its .git leads to ${target}, which no longer exists`);
  return found;
}

/** Reads a small plain file. Follows no link, and waits for no pipe. */
async function readLink(path: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= MAX_LINK_BYTES ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

const realpathOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
