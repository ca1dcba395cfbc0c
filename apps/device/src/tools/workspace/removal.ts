import { messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import type { RetryOptions } from "@grove/signals/retry";
import * as z from "zod";
import { isTransient } from "../../cloud/deviceApi";
import { toCommandError } from "../../errors";
import { removePoints } from "../../git/points/pointRefs";
import { whenUnlocked } from "../../git/repositoryLocks";
import { UNCANCELED_MS } from "../../git/run";
import { deleteBranch, removeFiles, removeWorktree } from "../../git/worktree/removeWorktree";
import { isThere } from "../../lib/fileSystem";
import type { ToolContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { unregister } from "./registration";

/** A removal that has been decided, as the journal keeps it: enough to finish it after a crash. */
const notedRemoval = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  /** The path to which the directory is moved before its files are removed. */
  trash: z.string(),
  /** The main work tree; null if it no longer exists. */
  repository: z.string().nullable(),
  /** The branch to delete, if any. */
  branch: z.string().nullable(),
  /** The branches into one of which the branch must be merged, unless `force`. */
  bases: z.array(z.string()),
  force: z.boolean(),
});
export type NotedRemoval = z.infer<typeof notedRemoval>;

/**
 * Removes the worktree, then the branch if requested. Called again, it finishes what was left. An abort does not stop
 * it, because half a removal is useless.
 * @throws {Error} if the worktree could not be removed and still exists
 */
export async function carryOut(
  { git, locks }: WorkspaceDeps,
  { id, repository, path, trash, branch, bases, force }: NotedRemoval,
): Promise<{ branchDeleted: boolean; warnings: string[] }> {
  const warnings: string[] = [];
  const deleteItsBranch = async () => {
    if (branch === null) return false;
    if (repository === null) {
      warnings.push(`The branch '${branch}' could not be checked: its repository no longer exists.`);
      return false;
    }
    try {
      const deleting = () => deleteBranch(git, { repository, branch, bases, force });
      const whyNot = await whenUnlocked(deleting, timeoutSignal(UNCANCELED_MS));
      if (whyNot !== undefined) warnings.push(whyNot);
      return whyNot === undefined;
    } catch (error) {
      warnings.push(`The branch '${branch}' could not be deleted: ${toCommandError(error).message}`);
      return false;
    }
  };
  const forgetPoints = async (repositoryPath: string) => {
    try {
      await whenUnlocked(() => removePoints(git, repositoryPath, id), timeoutSignal(UNCANCELED_MS));
    } catch (error) {
      warnings.push(`Its restore points could not be removed: ${toCommandError(error).message}`);
    }
  };
  const remove = async () => {
    await removeWorktree(git, { repository, path, trash });
    if (repository !== null) await forgetPoints(repository);
    return deleteItsBranch();
  };
  const branchDeleted = await (repository === null ? remove() : locks.run(repository, remove));
  // Removing a large tree takes a while. It no longer belongs to a workspace, so the lock is not needed.
  const remaining = await removeFiles(trash);
  if (remaining !== undefined) warnings.push(remaining);
  return { branchDeleted, warnings };
}

/**
 * Forgets a workspace whose worktree no longer exists: first in the cloud, then here. So the removal can be requested
 * again as long as the API has the entry.
 * @throws {CommandFailure} as {@link unregister}
 */
export async function forget(deps: WorkspaceDeps, id: string, retryOptions: RetryOptions): Promise<void> {
  await unregister(deps, id, retryOptions);
  await deps.store.removeWorkspace(id);
}

/**
 * Recovers an interrupted delete_workspace: a worktree that still exists is left alone, and a removal that had begun is
 * finished.
 * @returns a description of the result
 */
export async function recoverRemovals(
  deps: WorkspaceDeps,
  notes: readonly unknown[],
  context: Pick<ToolContext, "signal" | "log">,
): Promise<string> {
  const messages: string[] = [];
  for (const note of notes) {
    const { data } = notedRemoval.safeParse(note);
    if (data) messages.push(await recoverOne(deps, data, context));
  }
  return messages.length > 0 ? `${messages.join(" ")} Nothing else was removed.` : "Nothing was removed.";
}

async function recoverOne(
  deps: WorkspaceDeps,
  removal: NotedRemoval,
  { signal, log }: Pick<ToolContext, "signal" | "log">,
): Promise<string> {
  const { id, name, path } = removal;
  // The entry is removed last. By now another workspace may have the same directory and branch.
  if (!(await deps.store.workspace(id))) return `Workspace "${name}" (${id}) has been removed.`;
  if (await isThere(path)) return `Workspace "${name}" (${id}) is still at ${path}.`;
  const { warnings } = await carryOut(deps, removal);
  try {
    const forMs = Number.POSITIVE_INFINITY;
    await forget(deps, id, { signal, forMs, baseMs: 500, maxMs: 30_000, retryable: isTransient });
    return [`Workspace "${name}" (${id}) has been removed.`, ...warnings].join(" ");
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, workspaceId: id }, "a removed workspace is still in the cloud");
    return `Workspace "${name}" (${id}) has been removed from this machine. ${messageOf(error)}`;
  }
}
