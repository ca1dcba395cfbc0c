import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Git, GitError } from "../run";
import { readSmallFile } from "../smallFile";

/** A worktree whose `.git` is the one that git made, with git to run on it. */
export interface OpenWorktree {
  path: string;
  /** The directory in the repository where git keeps this worktree's own state. */
  gitDir: string;
  /** The repository's own directory. */
  commonDir: string;
  /** The original git, not tied to this worktree. */
  plainGit: Git;
  /** git on this worktree with its repository's configuration, even if files beside its index lead elsewhere. */
  git: Git;
}

/** The `.git` of a worktree does not lead to its repository. */
export class NotItsWorktreeError extends Error {}

/** The keys that a worktree's `config.worktree` may have: for `git sparse-checkout`, and the user's name and email. */
const WORKTREE_KEYS = /^(core\.(sparsecheckout|sparsecheckoutcone)|index\.sparse|user\.(name|email))$/;

/** Keys that git writes into the configuration of a submodule, and that name no program and no other file. */
const SUBMODULE_KEYS = new RegExp(
  `^(${[
    "core\\.(repositoryformatversion|filemode|bare|logallrefupdates|worktree|ignorecase|precomposeunicode|symlinks)",
    "core\\.(autocrlf|eol|sparsecheckout|sparsecheckoutcone)",
    "extensions\\.objectformat|index\\.sparse|lfs\\.repositoryformatversion|user\\.(name|email)",
    "remote\\..+\\.(url|pushurl|fetch|tagopt)",
    "branch\\..+\\.(remote|merge|rebase)",
    "submodule\\.(active|.+\\.(url|active|branch))",
  ].join("|")})$`,
  "s",
);

/**
 * Opens a worktree of a repository for git. A program confined to the worktree could replace its `.git` by one that
 * leads to a configuration of its own, and thereby make git run any command. So that file is read and checked here,
 * and git is given the repository's path.
 * @param repository its main work tree, which is trusted
 * @throws {NotItsWorktreeError} with the fault of the `.git`
 */
export async function openWorktree(git: Git, repository: string, path: string): Promise<OpenWorktree> {
  const commonDir = await commonDirOf(git, repository);
  const gitDir = await followLink(path);
  const backLink = await readFile(join(gitDir, "gitdir"), "utf8").catch(() => "");
  const isItsOwn =
    dirname(gitDir) === join(commonDir, "worktrees") &&
    (await realpathOf(dirname(resolve(gitDir, backLink.trim())))) === (await realpathOf(path));
  if (!isItsOwn) throw new NotItsWorktreeError(`its .git leads to ${gitDir}, which is not this worktree's`);
  const config = join(gitDir, "config.worktree");
  const other = await otherKey(git, config, WORKTREE_KEYS);
  if (other !== undefined)
    throw new NotItsWorktreeError(
      `${config} sets ${other}, and git is not run with a configuration from the worktree. Set it in the repository's own`,
    );
  return openAt(git, { path, gitDir, commonDir, configDir: commonDir });
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
  if (gitDir === undefined || !isOwn) return undefined;
  const other = await otherKey(plainGit, join(gitDir, "config"), SUBMODULE_KEYS);
  return other === undefined ? openAt(plainGit, { path, gitDir, commonDir, configDir: gitDir }) : undefined;
}

/** @param configDir the directory with the configuration, which git would otherwise read from a file in `gitDir` */
function openAt(
  git: Git,
  { configDir, ...places }: Omit<OpenWorktree, "git" | "plainGit"> & { configDir: string },
): OpenWorktree {
  const worktreeGit: Git = (args, options) =>
    git([`--git-dir=${places.gitDir}`, `--work-tree=${places.path}`, ...args], {
      ...options,
      cwd: places.path,
      commonDir: configDir,
    });
  return { ...places, plainGit: git, git: worktreeGit };
}

/** The first key of a file of configuration that is not among these; undefined if there is no such file. */
async function otherKey(git: Git, file: string, allowed: RegExp): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isFile()) return "something that is not in a plain file";
  try {
    // Without `--includes`, git reads only this file.
    const listed = await git(["config", "--file", file, "--no-includes", "--name-only", "--list", "-z"]);
    return listed.split("\0").find((key) => key !== "" && !allowed.test(key));
  } catch (error) {
    if (error instanceof GitError) return "something that git cannot read";
    throw error;
  }
}

/** The repository's own directory, with links resolved. */
export async function commonDirOf(git: Git, repository: string): Promise<string> {
  const directory = join(repository, ".git");
  if ((await lstat(directory)).isDirectory()) return realpath(directory);
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  return realpath((await git(args, { cwd: repository })).trimEnd());
}

/** The directory that the `.git` of a work tree names, with links resolved. @throws {NotItsWorktreeError} */
async function followLink(path: string): Promise<string> {
  const target = /^gitdir: (.+?)\n*$/.exec((await readSmallFile(join(path, ".git"))) ?? "")?.[1];
  if (target === undefined) throw new NotItsWorktreeError("its .git is not the file that git made");
  const found = await realpathOf(resolve(path, target));
  if (found === undefined)
    throw new NotItsWorktreeError(`its .git leads to ${target}, which no longer exists`);
  return found;
}

const realpathOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
