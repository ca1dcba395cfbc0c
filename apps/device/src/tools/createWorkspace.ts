import type { DeviceToolParams, DeviceToolResult, WorkspaceMade } from "@grove/schemas";
import type { Tool, WorkContext } from "../tool";
import type { WorkspaceDeps } from "./deps";
import { findRepository, queryOrigin, readProject } from "./projects/repository";
import { recoverWorkspaces } from "./workspace/recovery";
import { WorkspaceMaker } from "./workspace/workspaceMaker";

/** create_workspace: makes git worktrees on new or existing branches, and their entries in the cloud. */
export const createWorkspaceTool = (deps: WorkspaceDeps): Tool<"create_workspace"> => ({
  run: (params, context) => makeWorkspaces(deps, params, context),
  recover: (notes, context) => recoverWorkspaces(deps, notes, context),
});

/**
 * Makes workspaces one after another. A workspace that fails leaves nothing behind and does not stop the others. If the
 * command is ended from outside, everything it made is removed again, except workspaces that are already in use.
 */
export async function makeWorkspaces(
  deps: WorkspaceDeps,
  { projectId, workspaces }: DeviceToolParams<"create_workspace">,
  context: WorkContext,
): Promise<DeviceToolResult<"create_workspace">> {
  const project = await readProject(deps, projectId, context.signal);
  const repository = await findRepository(deps, project, context);
  const atOrigin = await queryOrigin(deps, repository, workspaces, context);
  const maker = new WorkspaceMaker(deps, project, repository, atOrigin, context);
  const items: WorkspaceMade[] = [];
  try {
    for (const [index, request] of workspaces.entries()) {
      context.progress(`Creating workspace ${index + 1} of ${workspaces.length}`, index / workspaces.length);
      items.push(await maker.make(request));
    }
  } catch (error) {
    await maker.undoAll();
    throw error;
  }
  return { workspaces: items };
}
