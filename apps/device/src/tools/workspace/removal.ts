import { limit } from "@grove/signals";
import * as z from "zod";
import type { RetryOptions } from "../../cloud/backoff";
import { isTransient } from "../../cloud/deviceApi";
import { toCommandError } from "../../errors";
import { whenUnlocked } from "../../git/lock";
import { deleteBranch, removeFiles, removeWorktree } from "../../git/removal";
import { isThere } from "../../home/home";
import type { WorkspaceDeps } from "../deps";
import type { ToolContext } from "../tool";
import { unregister } from "./record";

/** A removal that has been decided, as the journal keeps it: enough to finish it after a crash. */
const notedRemoval = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  /** The path to which the directory is moved before its files are removed. */
  trash: z.string(),
  /** The main work tree; null if it is gone. */
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
 * @throws {Error} if the worktree could not be removed and still stands
 */
export async function carryOut(
  { git, locks }: WorkspaceDeps,
  { repository, path, trash, branch, bases, force }: NotedRemoval,
): Promise<{ branchDeleted: boolean; warnings: string[] }> {
  const warnings: string[] = [];
  const deleteItsBranch = async () => {
    if (branch === null) return false;
    if (repository === null) {
      warnings.push(`The branch '${branch}' could not be checked: its repository is gone.`);
      return false;
    }
    try {
      const deleting = () => deleteBranch(git, { repository, branch, bases, force });
      const whyNot = await whenUnlocked(deleting, limit(60_000));
      if (whyNot !== undefined) warnings.push(whyNot);
      return whyNot === undefined;
    } catch (error) {
      warnings.push(`The branch '${branch}' could not be deleted: ${toCommandError(error).message}`);
      return false;
    }
  };
  const remove = async () => {
    await removeWorktree(git, { repository, path, trash });
    return deleteItsBranch();
  };
  const branchDeleted = await (repository === null ? remove() : locks.run(repository, remove));
  // Removing a large tree takes a while. It no longer belongs to a workspace, so the lock is not needed.
  const left = await removeFiles(trash);
  if (left !== undefined) warnings.push(left);
  return { branchDeleted, warnings };
}

/**
 * Forgets a workspace whose worktree is gone: first in the cloud, then here. So the removal can be requested again as
 * long as the cloud has the entry.
 * @throws {CommandFailure} as {@link unregister}
 */
export async function forget(deps: WorkspaceDeps, id: string, patience: RetryOptions): Promise<void> {
  await unregister(deps, id, patience);
  await deps.store.removeWorkspace(id);
}

/**
 * Recovers an interrupted delete_workspace: a worktree that still stands is left alone, and a removal that had begun is
 * finished.
 * @returns a description of the result
 */
export async function recoverRemovals(
  deps: WorkspaceDeps,
  notes: readonly unknown[],
  context: Pick<ToolContext, "signal" | "log">,
): Promise<string> {
  const said: string[] = [];
  for (const note of notes) {
    const { data } = notedRemoval.safeParse(note);
    if (data) said.push(await recoverOne(deps, data, context));
  }
  return said.length > 0 ? `${said.join(" ")} Nothing else was removed.` : "Nothing was removed.";
}

async function recoverOne(
  deps: WorkspaceDeps,
  removal: NotedRemoval,
  { signal, log }: Pick<ToolContext, "signal" | "log">,
): Promise<string> {
  const { id, name, path } = removal;
  // The entry is removed last. By now another workspace may have the same directory and branch.
  if (!(await deps.store.workspace(id))) return `Workspace "${name}" (${id}) has been removed.`;
  if (await isThere(path)) return `Workspace "${name}" (${id}) still stands at ${path}.`;
  const { warnings } = await carryOut(deps, removal);
  try {
    const forMs = Number.POSITIVE_INFINITY;
    await forget(deps, id, { signal, forMs, baseMs: 500, maxMs: 30_000, retryable: isTransient });
    return [`Workspace "${name}" (${id}) has been removed.`, ...warnings].join(" ");
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, workspaceId: id }, "a removed workspace is still in the cloud");
    return `Workspace "${name}" (${id}) has been removed from this machine. ${(error as Error).message}`;
  }
}
