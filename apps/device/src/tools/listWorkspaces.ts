import type { WorkspaceOnDevice } from "@grove/schemas";
import { CommandFailure } from "../errors";
import type { LocalWorkspace } from "../home/store";
import { Semaphore } from "../lib/semaphore";
import type { Tool, ToolContext } from "../tool";
import type { WorkspaceDeps } from "./deps";
import { inspectWorkspace } from "./workspace/openWorkspace";

/** git reads the whole work tree for its status, so a few at a time are as fast as the disk. */
const CONCURRENCY = 4;

/** list_workspaces: lists the worktrees of this machine, each with its state and git status. */
export const listWorkspacesTool = (deps: WorkspaceDeps): Tool<"list_workspaces"> => ({
  run: async ({ projectId }, context) => ({ workspaces: await readWorkspaces(deps, projectId, context) }),
});

/** The workspaces of one project or of all, including those that are not ready or have lost their worktree. */
export async function readWorkspaces(
  deps: WorkspaceDeps,
  projectId: string | undefined,
  context: Pick<ToolContext, "signal" | "log">,
): Promise<WorkspaceOnDevice[]> {
  const { store } = deps;
  const wanted = (await store.workspaces()).filter(
    (workspace) => projectId === undefined || workspace.projectId === projectId,
  );
  const activeId = await store.activeWorkspaceId();
  const slots = new Semaphore(CONCURRENCY);
  return Promise.all(
    wanted.map((workspace) => slots.run(() => inspect(deps, workspace, activeId, context), context.signal)),
  );
}

async function inspect(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  activeId: string | null,
  { signal, log }: Pick<ToolContext, "signal" | "log">,
): Promise<WorkspaceOnDevice> {
  if (workspace.creating) return asRecorded(workspace, activeId, "creating");
  try {
    return await inspectWorkspace(deps, workspace, activeId, signal);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    if (error.reason === "worktree_missing") return asRecorded(workspace, activeId, "missing");
    log.warn({ err: error, workspaceId: workspace.id }, "a workspace is no longer a git worktree");
    return asRecorded(workspace, activeId, "broken");
  }
}

/** The recorded facts about a workspace, without reading its worktree. */
const asRecorded = (
  { id, projectId, name, branch, path }: LocalWorkspace,
  activeId: string | null,
  state: WorkspaceOnDevice["state"],
): WorkspaceOnDevice => ({
  id,
  projectId,
  name,
  branch,
  path,
  state,
  dirty: null,
  ahead: null,
  behind: null,
  active: id === activeId,
});
