import type { DeviceToolResult } from "@grove/schemas";
import { writePoint } from "../../git/points/writePoint";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { pointsOff } from "../workspace/pointsOff";

/** make_point: saves the files of a worktree as a commit that no branch has. */
export const makePointTool = (deps: ToolDeps): Tool<"make_point"> => ({
  run: ({ workspaceId, turn }, { signal }) => makeRestorePoint(deps, { workspaceId, turn }, signal),
});

/** Makes a restore point of a workspace, unless they are off. */
export async function makeRestorePoint(
  deps: ToolDeps,
  { workspaceId, turn }: { workspaceId: string; turn?: number | undefined },
  signal: AbortSignal,
): Promise<DeviceToolResult<"make_point">> {
  const { path } = await findWorkspace(deps, workspaceId);
  const makeLocked = async () => {
    const workspace = await findWorkspace(deps, workspaceId);
    const worktree = await openWorkspace(deps, workspace);
    const off = await pointsOff(deps, workspace.projectId, worktree.path);
    if (off !== undefined) return { point: null, turn: null, skipped: [], off };
    const { point, number, skipped } = await writePoint(worktree, { workspaceId, minNumber: turn }, signal);
    return { point, turn: number, skipped };
  };
  // One after another, so that each gets its own number.
  return deps.locks.run(path, makeLocked, signal);
}
