import { readChanges, readCommits, readDiff } from "../git/details";
import type { ToolDeps } from "./deps";
import type { Tool } from "./tool";
import { findWorkspace, inspectWorkspace, openWorkspace } from "./workspace/onDevice";

/** get_workspace_details: shows the current state of one workspace. */
export const getWorkspaceDetails = (deps: ToolDeps): Tool<"get_workspace_details"> => ({
  async run({ workspaceId }, { signal, requester }) {
    const { store, sessions } = deps;
    const found = await findWorkspace(deps, workspaceId);
    const workspace = await inspectWorkspace(deps, found, await store.activeWorkspaceId(), signal);
    const [tree, begun] = await Promise.all([openWorkspace(deps, found), store.beginning(workspaceId)]);
    const [changes, commits, diff] = await Promise.all([
      readChanges(tree, begun, signal),
      readCommits(tree, signal),
      readDiff(tree, found, signal),
    ]);
    // The command came from the cloud a moment ago. If it can no longer be reached, the requester does not count as the
    // owner.
    const reader = { id: requester.id, isOwner: await requester.isOwner().catch(() => false) };
    return {
      workspace,
      ...changes,
      commits,
      diff,
      sessions: sessions.roster.ofWorkspace(workspaceId, reader),
    };
  },
});
