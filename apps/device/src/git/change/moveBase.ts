import { CommandFailure } from "../../errors";
import { listShort } from "../../lib/listShort";
import { findOperationOn } from "../operation";
import { readRefs } from "../refs";
import { type Git, GitError } from "../run";
import { readStatus } from "../status";
import { commonDirOf, type OpenWorktree } from "../worktree/openWorktree";
import { listWorktrees } from "../worktree/worktree";

interface Move {
  /** The main work tree. */
  repository: string;
  branch: string;
  /** The commit that the branch is at. */
  commit: string;
  /** A descendant of it. */
  to: string;
}

/**
 * Moves a local branch forward. If it is checked out in the main work tree, the files there move along, provided that
 * it has no uncommitted work.
 * @throws {CommandFailure} `branch_checked_out` in another worktree, `uncommitted_work`, `in_the_middle`,
 * `files_in_the_way`, `head_moved`, with nothing changed
 */
export async function moveBase(
  git: Git,
  { repository, branch, commit, to }: Move,
  signal: AbortSignal,
  decided: () => Promise<void>,
): Promise<void> {
  const commonDir = await commonDirOf(git, repository);
  const operation = await findOperationOn(commonDir, branch);
  if (operation)
    throw new CommandFailure(
      "in_the_middle",
      `A ${operation.kind} of '${branch}' is in progress in ${operation.path}. Finish or abort it first.`,
    );
  const [main, ...others] = await listWorktrees(git, repository);
  const other = others.find((each) => each.branch === branch);
  if (other)
    throw new CommandFailure(
      "branch_checked_out",
      `'${branch}' is checked out in ${other.path}, whose files Grove does not change. Merge there by hand.`,
    );
  try {
    if (main?.branch === branch && !main.bare) {
      const runHere: Git = (args, options) => git(args, { ...options, cwd: repository });
      const places = { path: repository, gitDir: commonDir, commonDir, plainGit: git };
      await requireCleanCheckout({ ...places, git: runHere }, branch, signal);
      await decided();
      // Not cancelable: half a checkout is useless.
      await runHere([
        "-c",
        "merge.autoStash=false",
        "merge",
        "--quiet",
        "--ff-only",
        "--no-verify-signatures",
        to,
      ]);
    } else {
      await decided();
      await git(["update-ref", "-m", "grove: merge", `refs/heads/${branch}`, to, commit], {
        cwd: repository,
      });
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/overwritten by/.test(error.stderr))
      throw new CommandFailure(
        "files_in_the_way",
        `Files in ${repository} would be overwritten: ${error.message} Nothing was merged. Move them, then try again.`,
      );
    const actual = (await readRefs(git, repository)).get(`refs/heads/${branch}`);
    if (actual === commit) throw error;
    throw new CommandFailure(
      "head_moved",
      `'${branch}' is at ${actual ?? "no commit"}, not at ${commit}. Nothing was merged. Check what has changed, then try again.`,
    );
  }
}

/** @throws {CommandFailure} `uncommitted_work`. Untracked files may stay: git refuses to overwrite them */
async function requireCleanCheckout(tree: OpenWorktree, branch: string, signal: AbortSignal): Promise<void> {
  const changes = (await readStatus(tree, signal)).filter(({ status }) => status !== "??");
  if (changes.length === 0) return;
  throw new CommandFailure(
    "uncommitted_work",
    `'${branch}' is checked out in ${tree.path}, which has uncommitted work: ${listShort(changes.map(({ path }) => path))}. Commit or stash it there first.`,
  );
}
