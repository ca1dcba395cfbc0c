import type { DeviceToolParams } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { withSnapshot } from "../../git/points/snapshot";
import { type CurrentTrees, resolveAnchors } from "../../git/review/resolveAnchors";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { comparedCommit } from "./comparedCommit";

/** resolve_anchors: finds where the files and lines of review comments are now. */
export const resolveAnchorsTool = (deps: ToolDeps): Tool<"resolve_anchors"> => ({
  async run({ workspaceId, anchors, against }, { signal }) {
    const workspace = await findWorkspace(deps, workspaceId);
    const tree = await openWorkspace(deps, workspace);
    const places = await withCurrentTrees(tree, { workspace, against, signal }, (trees) =>
      resolveAnchors(tree, anchors, trees, signal),
    );
    return { places };
  },
});

interface Sides {
  workspace: LocalWorkspace;
  against: DeviceToolParams<"resolve_anchors">["against"];
  signal: AbortSignal;
}

/**
 * Stores the current files of a worktree as a tree, without a commit, for `work`.
 * @param sides.against what the files are compared with
 */
export const withCurrentTrees = <T>(
  tree: OpenWorktree,
  { workspace, against, signal }: Sides,
  work: (trees: CurrentTrees) => Promise<T>,
): Promise<T> =>
  withSnapshot(tree, signal, async ({ tree: after }) => {
    const before = await comparedCommit(tree, workspace, against, signal).catch(nullIfGone);
    return work({ before, after });
  });

function nullIfGone(error: unknown): null {
  if (error instanceof CommandFailure && (error.reason === "base_unknown" || error.reason === "point_gone"))
    return null;
  throw error;
}
