import type { WorkspaceOnDevice } from "@grove/schemas";
import { ToolError } from "../errors";
import { Slots } from "../slots";
import type { LocalWorkspace } from "../store";
import type { ToolParts } from "./parts";
import type { Tool, ToolContext } from "./tool";
import { inspectWorkspace } from "./workspaceOnDevice";

/** git reads the whole work tree for its status: a few at a time are as fast as the disk. */
const CONCURRENCY = 4;

/** list_workspaces: the worktrees that stand on this machine, each with its git status. */
export const listWorkspaces = (parts: ToolParts): Tool<"list_workspaces"> => {
  const inspect = async (
    workspace: LocalWorkspace,
    activeId: string | null,
    { signal, log }: Pick<ToolContext, "signal" | "log">,
  ): Promise<WorkspaceOnDevice | undefined> => {
    try {
      return await inspectWorkspace(parts, workspace, activeId, signal);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (error.reason !== "worktree_missing")
        log.warn({ err: error, workspaceId: workspace.id }, "a workspace is no git worktree any more");
      return undefined;
    }
  };
  return {
    async run({ projectId }, context) {
      const { store } = parts;
      const wanted = (await store.workspaces()).filter(
        (workspace) => projectId === undefined || workspace.projectId === projectId,
      );
      const activeId = await store.activeWorkspaceId();
      const slots = new Slots(CONCURRENCY);
      const found = await Promise.all(
        wanted.map((workspace) => slots.run(() => inspect(workspace, activeId, context), context.signal)),
      );
      return { workspaces: found.filter((workspace) => workspace !== undefined) };
    },
  };
};
