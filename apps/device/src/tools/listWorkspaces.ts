import type { WorkspaceOnDevice } from "@grove/schemas";
import { GitError } from "../git/run";
import { worktreeStatus } from "../git/worktree";
import { isThere } from "../home";
import { Slots } from "../slots";
import type { LocalWorkspace } from "../store";
import type { ToolParts } from "./parts";
import type { Tool, ToolContext } from "./tool";

/** git reads the whole work tree for its status: a few at a time are as fast as the disk. */
const CONCURRENCY = 4;

/** list_workspaces: the worktrees that stand on this machine, each with its git status. */
export const listWorkspaces = ({ store, git }: ToolParts): Tool<"list_workspaces"> => {
  const inspect = async (
    workspace: LocalWorkspace,
    activeId: string | null,
    { signal, log }: ToolContext,
  ): Promise<WorkspaceOnDevice | undefined> => {
    const { id, projectId, name, path, baseBranch } = workspace;
    if (!(await isThere(path))) return undefined;
    try {
      const status = await worktreeStatus(git, path, baseBranch, signal);
      return { id, projectId, name, path, ...status, active: id === activeId };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      // Its repository was removed or moved: a directory like any other now.
      log.warn({ err: error, workspaceId: id }, "a workspace is no git worktree any more");
      return undefined;
    }
  };
  return {
    async run({ projectId }, context) {
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
