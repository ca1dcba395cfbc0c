import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CommandFailure } from "../errors";
import { isThere } from "../lib/fileSystem";
import { currentBranch } from "./refs";
import { type Git, GitError } from "./run";
import { listWorktrees } from "./worktree/worktree";

/**
 * Finds the main work tree of the repository that a path lies in. From a subdirectory that is its top level, from a
 * linked worktree the tree that it was made from. A bare repository has none, so one of its worktrees represents it.
 * @throws {CommandFailure} `not_a_repository`, with the reason and the next step
 */
export async function findMainWorktree(git: Git, path: string): Promise<string> {
  const directory = resolve(path);
  // The layout of a bare repository with its worktrees beside it, where no `.git` leads to it.
  const isAround =
    !(await isThere(join(directory, ".git"))) && (await isThere(join(directory, ".bare", "HEAD")));
  const gitDirectory = isAround ? join(directory, ".bare") : directory;
  const found = await stat(gitDirectory).catch(() => undefined);
  if (!found) throw notARepository(`${gitDirectory} does not exist.`);
  if (!found.isDirectory())
    throw notARepository(`${gitDirectory} is a file. Give the directory of a git repository.`);

  const questions = ["--git-dir", "--git-common-dir", "--is-bare-repository", "--is-inside-work-tree"];
  const [gitDir = "", commonDir = "", bare, insideWorkTree] = (
    await git(["rev-parse", "--path-format=absolute", ...questions], { cwd: gitDirectory }).catch((error) => {
      throw explain(error, gitDirectory);
    })
  ).split("\n");
  if (gitDir !== commonDir) {
    const main = (await listWorktrees(git, gitDirectory))[0];
    if (main && !main.bare) return realpath(main.path);
    return worktreeOfBare(git, gitDirectory, commonDir);
  }
  if (bare === "true") return worktreeOfBare(git, gitDirectory, gitDir);
  if (insideWorkTree === "true")
    return (await git(["rev-parse", "--show-toplevel"], { cwd: gitDirectory })).trimEnd();
  // The path is inside .git itself.
  return realpath(dirname(gitDir));
}

/**
 * Finds the worktree that represents a bare repository, which has no main one: that in which the path lies, otherwise
 * that of the repository's own branch, otherwise the first.
 */
async function worktreeOfBare(git: Git, startPath: string, bare: string): Promise<string> {
  const directoryPath = await realpath(startPath);
  const head = await currentBranch(git, bare);
  const worktrees = [];
  for (const { path, branch, bare: isBare } of await listWorktrees(git, bare))
    if (!isBare && (await isThere(path))) worktrees.push({ path: await realpath(path), branch });
  const found =
    worktrees.find(({ path }) => `${directoryPath}/`.startsWith(`${path}/`)) ??
    worktrees.find(({ branch }) => branch === head) ??
    worktrees[0];
  if (found) return found.path;
  throw notARepository(
    `${bare} is a bare repository without a worktree. Make one with \`git -C '${bare}' worktree add <path>\` and add that, or clone it somewhere and add the clone.`,
  );
}

/** Whether a main work tree is still at its path. */
export const isRepository = (path: string): Promise<boolean> => isThere(join(path, ".git"));

const notARepository = (message: string) => new CommandFailure("not_a_repository", message);

function explain(error: unknown, path: string): unknown {
  if (!(error instanceof GitError)) return error;
  if (error.stderr.includes("dubious ownership"))
    return notARepository(
      `git does not trust ${path}, because it belongs to another user. If you do, run: git config --global --add safe.directory '${path}'`,
    );
  if (/not a git repository/i.test(error.stderr))
    return notARepository(
      `${path} is not in a git repository. Run \`git init\` there first, or give another path.`,
    );
  return notARepository(`git cannot read ${path}: ${error.message}`);
}
