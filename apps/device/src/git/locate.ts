import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CommandFailure } from "../errors";
import { isThere } from "../home/home";
import { type Git, GitError } from "./run";
import { listWorktrees } from "./worktree";

/**
 * Finds the main work tree of the repository that a path lies in. From a subdirectory that is its top level, from a
 * linked worktree the tree that it was made from.
 * @throws {CommandFailure} `not_a_repository`, saying what is there instead and what to do
 */
export async function findMainWorktree(git: Git, path: string): Promise<string> {
  const given = resolve(path);
  const found = await stat(given).catch(() => undefined);
  if (!found) throw notARepository(`${given} does not exist.`);
  if (!found.isDirectory())
    throw notARepository(`${given} is a file. Give the directory of a git repository.`);

  const questions = ["--git-dir", "--git-common-dir", "--is-bare-repository", "--is-inside-work-tree"];
  const [gitDir = "", commonDir = "", bare, insideWorkTree] = (
    await git(["rev-parse", "--path-format=absolute", ...questions], { cwd: given }).catch((error) => {
      throw explain(error, given);
    })
  ).split("\n");
  if (gitDir !== commonDir) {
    const main = (await listWorktrees(git, given))[0];
    if (main && !main.bare) return realpath(main.path);
    throw bareRepository(commonDir);
  }
  if (bare === "true") throw bareRepository(gitDir);
  if (insideWorkTree === "true")
    return (await git(["rev-parse", "--show-toplevel"], { cwd: given })).trimEnd();
  // The path is inside .git itself.
  return realpath(dirname(gitDir));
}

/** Whether a main work tree is still at its path. */
export const isRepository = (path: string): Promise<boolean> => isThere(join(path, ".git"));

const notARepository = (message: string) => new CommandFailure("not_a_repository", message);

const bareRepository = (path: string) =>
  notARepository(`${path} is a bare repository, without a work tree. Clone it somewhere and add the clone.`);

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
