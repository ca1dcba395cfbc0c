import { findWorkspace } from "../home/workspaces";
import type { Log } from "../log";
import type { ToolDeps } from "./deps";
import { checkedOut } from "./workspace/openWorkspace";

/** The branches that were reported last, by workspace. Without an entry, the branch that it was created on. */
export type ReportedBranches = Map<string, string>;

/** Reports to the cloud that another branch is checked out in a workspace, or that its branch was renamed. */
export async function reportBranch(
  deps: ToolDeps,
  reported: ReportedBranches,
  workspaceId: string,
  log: Log,
): Promise<void> {
  try {
    const workspace = await findWorkspace(deps, workspaceId);
    const branchName = await checkedOut(deps, workspace);
    if (branchName === undefined || branchName === (reported.get(workspaceId) ?? workspace.branch)) return;
    const { cloud, organizationId } = deps;
    const { baseBranch, path, baseCommit: forkCommit } = workspace;
    const config = { branchName, baseBranch, path, forkCommit };
    await cloud.updateWorkspace({ organizationId, id: workspaceId, config });
    reported.set(workspaceId, branchName);
  } catch (error) {
    log.warn({ err: error, workspaceId }, "the branch of a workspace could not be reported");
  }
}
