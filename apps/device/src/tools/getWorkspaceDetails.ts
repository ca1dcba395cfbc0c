import { readChanges, readCommits, readDiff } from "../git/worktree/worktreeSummary";
import { findWorkspace } from "../home/workspaces";
import { listeningPorts } from "../sessions/process/listeningPorts";
import type { Tool } from "../tool";
import type { ToolDeps } from "./deps";
import { inspectWorkspace, openWorkspace } from "./workspace/openWorkspace";
import { treeMarkOf } from "./workspace/worktreePrograms";

/** get_workspace_details: shows the current state of one workspace. */
export const getWorkspaceDetailsTool = (deps: ToolDeps): Tool<"get_workspace_details"> => ({
  async run({ workspaceId }, { signal, requester }) {
    const { store, sessions } = deps;
    const found = await findWorkspace(deps, workspaceId);
    const workspace = await inspectWorkspace(deps, found, await store.activeWorkspaceId(), signal);
    const [tree, initial] = await Promise.all([openWorkspace(deps, found), store.initialState(workspaceId)]);
    const [changes, commits, diff, ports] = await Promise.all([
      readChanges(tree, initial, signal),
      readCommits(tree, signal),
      readDiff(tree, found, signal),
      listeningPorts(treeMarkOf(found)),
    ]);
    // The command came from the cloud a moment ago. If it can no longer be reached, the requester does not count as the
    // owner.
    const reader = { id: requester.id, isOwner: await requester.isOwner().catch(() => false) };
    return {
      workspace,
      portBase: found.portBase,
      ports,
      ...changes,
      commits,
      diff,
      sessions: sessions.registry.ofWorkspace(workspaceId, reader),
    };
  },
});
