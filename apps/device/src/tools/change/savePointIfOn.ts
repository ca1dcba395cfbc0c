import { writePoint } from "../../git/points/writePoint";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { LocalWorkspace } from "../../home/store";
import type { WorkspaceDeps } from "../deps";
import { pointsOff } from "../workspace/pointsOff";

/** Makes a restore point before a worktree is changed, unless they are off. */
export async function savePointIfOn(
  deps: WorkspaceDeps,
  worktree: OpenWorktree,
  { id, projectId }: LocalWorkspace,
  signal: AbortSignal,
): Promise<void> {
  if ((await pointsOff(deps, projectId, worktree.path)) !== undefined) return;
  await writePoint(worktree, { workspaceId: id }, signal);
}
