import { findPoint } from "../../git/points/findPoint";
import { keepSeen } from "../../git/points/keptPoints";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

/** The name of a person on this machine, who has no id. */
const LOCAL_PERSON = "local";

/** mark_seen: keeps the files that a person has seen, so that later changes can be compared with them. */
export const markSeenTool = (deps: ToolDeps): Tool<"mark_seen"> => ({
  async run({ workspaceId, point }, { requester, signal }) {
    const { path } = await findWorkspace(deps, workspaceId);
    const keep = async () => {
      const worktree = await openWorkspace(deps, await findWorkspace(deps, workspaceId));
      await findPoint(worktree, workspaceId, point);
      await keepSeen(worktree, { workspaceId, person: requester.id ?? LOCAL_PERSON, point });
    };
    // No point is removed under the lock.
    await deps.locks.run(path, keep, signal);
    return { success: true };
  },
});
