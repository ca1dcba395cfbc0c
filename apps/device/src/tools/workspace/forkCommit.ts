import { forkRef } from "../../git/points/pointRefs";
import type { WorkContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { pointsOff } from "./pointsOff";
import type { NotedWorkspace } from "./registration";

/** Keeps git from removing the commit where a workspace began. A workspace is usable without that. */
export async function keepForkCommit(
  deps: WorkspaceDeps,
  { id, projectId, repository, commit, scriptCommit = commit }: NotedWorkspace,
  { log }: Pick<WorkContext, "log">,
): Promise<void> {
  try {
    if ((await pointsOff(deps, projectId, repository)) !== undefined) return;
    await deps.git(["update-ref", "--no-deref", forkRef(id), scriptCommit], { cwd: repository });
  } catch (error) {
    log.warn({ err: error, workspaceId: id }, "the fork commit of a workspace could not be kept");
  }
}
