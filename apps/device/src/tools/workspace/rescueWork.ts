import { messageOf, type SkippedFile, type WorkspaceRemoved } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { makeRescue } from "../../git/points/rescue";
import type { LocalWorkspace } from "../../home/store";
import { listShort } from "../../lib/listShort";
import type { WorkContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { openWorkspace } from "./openWorkspace";
import { pointsOff } from "./pointsOff";

/**
 * Keeps the work of a workspace that is about to be removed. A failure is only a warning: the disk may be full, or git
 * may not be able to read the worktree.
 */
export async function rescueWork(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { deletedBranch, force }: { deletedBranch: string | null; force: boolean },
  item: WorkspaceRemoved,
  { signal, log }: WorkContext,
): Promise<void> {
  const { id, projectId, name } = workspace;
  try {
    const worktree = await openWorkspace(deps, workspace);
    if ((await pointsOff(deps, projectId, worktree.path)) !== undefined) return;
    const { kept, skipped } = await makeRescue(worktree, { id, name, deletedBranch }, signal);
    if (kept) item.rescue = { ref: kept.ref, until: kept.until.toISOString() };
    // Without force, an earlier check has shown that these files contain no work.
    if (force && skipped.length > 0) item.warnings.push(notRescued(skipped));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CommandFailure))
      log.warn({ err: error, workspaceId: id }, "no rescue point was made");
    item.warnings.push(`Its work was not kept for \`grove-device rescue\`: ${messageOf(error)}`);
  }
}

const notRescued = (skipped: SkippedFile[]): string =>
  `These were not kept for \`grove-device rescue\`: ${listShort(skipped.map(({ path }) => path))}.`;
