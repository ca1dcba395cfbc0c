import { listPoints } from "../../git/points/listPoints";
import { currentCommit } from "../../git/refs";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { pointsOff } from "../workspace/pointsOff";

/** list_points: the restore points of a workspace, newest first. */
export const listPointsTool = (deps: ToolDeps): Tool<"list_points"> => ({
  async run({ workspaceId }, { signal }) {
    const workspace = await findWorkspace(deps, workspaceId);
    const worktree = await openWorkspace(deps, workspace);
    const [points, head, off] = await Promise.all([
      listPoints(worktree, workspaceId, signal),
      currentCommit(worktree.git, worktree.path),
      pointsOff(deps, workspace.projectId, worktree.path),
    ]);
    return {
      head: head ?? null,
      ...(off !== undefined && { off }),
      points: points.map(({ at, number, ...point }) => ({
        ...point,
        turn: number,
        at: point.kind === "fork" ? workspace.createdAt : new Date(at).toISOString(),
      })),
    };
  },
});
