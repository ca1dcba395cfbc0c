import { readChanges, readCommits, readDiff } from "../git/inspect";
import type { ToolParts } from "./parts";
import type { Tool } from "./tool";
import { findWorkspace, inspectWorkspace } from "./workspaceOnDevice";

/** get_workspace_details: what is going on in one workspace. */
export const getWorkspaceDetails = (parts: ToolParts): Tool<"get_workspace_details"> => ({
  async run({ workspaceId }, { signal }) {
    const { git, store, sessions } = parts;
    const found = await findWorkspace(parts, workspaceId);
    const { path, baseBranch } = found;
    const workspace = await inspectWorkspace(parts, found, await store.activeWorkspaceId(), signal);
    const [changes, commits, diff] = await Promise.all([
      readChanges(git, path, signal),
      readCommits(git, path, signal),
      readDiff(git, path, baseBranch, signal),
    ]);
    return { workspace, ...changes, commits, diff, sessions: sessions.roster.ofWorkspace(workspaceId) };
  },
});
