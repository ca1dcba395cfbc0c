import { comparedBase } from "../../git/compareBase";
import type { OpenWorktree } from "../../git/openWorktree";
import { withSnapshot } from "../../git/points/snapshot";
import { type CurrentTrees, resolveAnchors } from "../../git/review/resolveAnchors";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

/** resolve_anchors: finds where the files and lines of review comments are now. */
export const resolveAnchorsTool = (deps: ToolDeps): Tool<"resolve_anchors"> => ({
  async run({ workspaceId, anchors }, { signal }) {
    const workspace = await findWorkspace(deps, workspaceId);
    const tree = await openWorkspace(deps, workspace);
    const places = await withCurrentTrees(tree, workspace, signal, (trees) =>
      resolveAnchors(tree, anchors, trees, signal),
    );
    return { places };
  },
});

/** Stores the current files of a worktree as a tree, without a commit, for `work`. */
export const withCurrentTrees = <T>(
  tree: OpenWorktree,
  workspace: LocalWorkspace,
  signal: AbortSignal,
  work: (trees: CurrentTrees) => Promise<T>,
): Promise<T> =>
  withSnapshot(tree, signal, async ({ tree: after }) => {
    const base = await comparedBase(tree, workspace, signal);
    return work({ before: base?.fork ?? null, after });
  });
