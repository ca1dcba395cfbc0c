import { CommandFailure } from "../../errors";
import { listShort } from "../../lib/listShort";
import { type Git, GitError } from "../run";

/** The result of a merge: its tree, or the files in conflict. */
export type MergedTree = { tree: string } | { conflicts: string[] };

/**
 * Merges two commits without a worktree. Nothing but objects is written.
 * @throws {CommandFailure} `git_failed` with a git before 2.38
 */
export async function mergeTree(
  git: Git,
  ours: string,
  theirs: string,
  signal?: AbortSignal,
): Promise<MergedTree> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  try {
    return { tree: (await git(args, { signal })).split("\0")[0] ?? "" };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const [tree, ...files] = error.stdout.split("\0").filter((part) => part !== "");
    if (error.code === 1 && tree !== undefined) return { conflicts: [...new Set(files)] };
    if (error.code === 129)
      throw new CommandFailure(
        "git_failed",
        "Merging without a worktree needs git 2.38 or newer. Update git on the device.",
      );
    throw error;
  }
}

export const inConflict = (files: readonly string[], other: string): CommandFailure =>
  new CommandFailure(
    "conflicts",
    `The workspace and ${other} conflict in ${listShort(files)}. Nothing was changed. Resolve the conflicts in the workspace, for instance with an agent, then try again.`,
  );
