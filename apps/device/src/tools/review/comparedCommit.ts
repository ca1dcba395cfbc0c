import type { DeviceToolParams } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { comparedBase } from "../../git/compareBase";
import { headOf } from "../../git/diff/compared";
import { findPoint } from "../../git/points/findPoint";
import { readTurnStart } from "../../git/points/keptPoints";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { LocalWorkspace } from "../../home/store";

type Against = DeviceToolParams<"get_workspace_diff">["against"];

/**
 * The commit that the files of a worktree are compared with; null before the first one.
 * @throws {CommandFailure} `base_unknown`, `point_gone`
 */
export async function comparedCommit(
  tree: OpenWorktree,
  workspace: LocalWorkspace,
  against: Against,
  signal: AbortSignal,
): Promise<string | null> {
  if (against === "head") return headOf(tree);
  if (against === "turn") return readTurnStart(tree, workspace.id);
  if (against === "base") {
    const compared = await comparedBase(tree, workspace, signal);
    if (compared === undefined) throw baseUnknown(workspace.baseBranch);
    return compared.fork;
  }
  // Only a commit that a ref of the workspace names reaches git.
  await findPoint(tree, workspace.id, against.point);
  return against.point;
}

const baseUnknown = (base: string) =>
  new CommandFailure(
    "base_unknown",
    `"${base}" is no longer in the repository, or shares no commit with this worktree. Compare with head instead.`,
  );
