import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DeviceToolParams, DeviceToolResult, WorkspaceRemoved } from "@grove/schemas";
import { apiRetryOptions } from "../cloud/retryOptions";
import { CommandFailure, toCommandError } from "../errors";
import { readRefs } from "../git/refs";
import { isMerged, trashName } from "../git/worktree/removeWorktree";
import type { LocalWorkspace } from "../home/store";
import { findEntry, WorkspaceBusy } from "../home/workspaces";
import { isThere } from "../lib/fileSystem";
import type { Tool, WorkContext } from "../tool";
import type { WorkspaceDeps } from "./deps";
import { fetchBase } from "./workspace/fetchBase";
import { checkedOut, repositoryOf } from "./workspace/openWorkspace";
import { basesOf, checkLock, type DeleteOptions, prepareDeletion } from "./workspace/prepareDeletion";
import { carryOut, forget, type NotedRemoval, recoverRemovals } from "./workspace/removal";
import { rescueWork } from "./workspace/rescueWork";
import { awaitRecreation } from "./workspace/worktreePrograms";

/** delete_workspace: removes worktrees, and their entries here and in the cloud. */
export const deleteWorkspaceTool = (deps: WorkspaceDeps): Tool<"delete_workspace"> => ({
  run: (params, context) => removeWorkspaces(deps, params, context),
  recover: (notes, context) => recoverRemovals(deps, notes, context),
});

/**
 * Removes workspaces one after another. A failure does not stop the others. A workspace that is locked, has
 * unsaved work, running agent sessions or other programs in it is kept unless `force`. A workspace that is still being
 * created is ended and undone. If the command is ended from outside, the workspaces not yet being removed stay.
 */
export async function removeWorkspaces(
  deps: WorkspaceDeps,
  { workspaceIds, ...options }: DeviceToolParams<"delete_workspace">,
  context: WorkContext,
): Promise<DeviceToolResult<"delete_workspace">> {
  const ids = [...new Set(workspaceIds)];
  const workspaces: WorkspaceRemoved[] = [];
  for (const [index, id] of ids.entries()) {
    context.progress(`Deleting workspace ${index + 1} of ${ids.length}`, index / ids.length);
    workspaces.push(await deleteOne(deps, id, options, context));
    // Removals are reported even if the command was ended, since nothing else informs its caller.
    if (!workspaces.some(({ worktreeRemoved }) => worktreeRemoved)) context.signal.throwIfAborted();
  }
  return { workspaces };
}

/** Never throws. */
async function deleteOne(
  deps: WorkspaceDeps,
  id: string,
  options: DeleteOptions,
  context: WorkContext,
): Promise<WorkspaceRemoved> {
  const item: WorkspaceRemoved = {
    id,
    name: null,
    worktreeRemoved: false,
    branchDeleted: false,
    warnings: [],
  };
  try {
    context.signal.throwIfAborted();
    const entry = await findEntry(deps, id);
    if (entry.creating && (await endCreation(deps, entry, item))) return item;
    const { path } = entry;
    // Under the lock no one can start a session in it, or delete it a second time.
    await deps.locks.run(
      path,
      async () => {
        const workspace = await findEntry(deps, id);
        item.name = workspace.name;
        if (workspace.creating && !options.force)
          throw new WorkspaceBusy(
            workspace,
            "Wait for that to end. If nothing is creating it any longer, use force.",
          );
        await checkLock(deps, workspace, options, item);
        if (await isThere(path)) await prepareDeletion(deps, workspace, options, item, context);
        else item.warnings.push(`Its directory ${path} was already deleted.`);
        context.signal.throwIfAborted();
        await remove(deps, workspace, options, item, context);
      },
      context.signal,
    );
  } catch (error) {
    if (!(error instanceof CommandFailure))
      context.log.warn({ err: error, workspaceId: id }, "a workspace could not be deleted");
    item.error =
      context.signal.aborted && !item.worktreeRemoved
        ? { reason: "ended", message: `The command was ended before workspace ${id} was removed.` }
        : toCommandError(error);
  }
  return item;
}

/**
 * Ends the creation of a workspace by this process, which undoes it.
 * @returns whether the workspace was removed. False if it became ready first, or belongs to another process
 */
async function endCreation(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  item: WorkspaceRemoved,
): Promise<boolean> {
  const { id, name, branch } = workspace;
  const why = new CommandFailure("workspace_deleted", `Workspace "${name}" was deleted before it was ready.`);
  const ended = await deps.construction.end(id, why);
  if (!ended || (await deps.store.workspace(id))) return false;
  const repository = await repositoryOf(deps, workspace);
  const refs = repository === null ? undefined : await readRefs(deps.git, repository);
  item.name = name;
  item.branchDeleted = refs !== undefined && !refs.has(`refs/heads/${branch}`);
  item.worktreeRemoved = true;
  item.warnings.push("It was still being created; that has been ended and undone.");
  return true;
}

/**
 * Chooses the branch to delete: the recorded one, or, if that was renamed, the one that is checked out. Another branch
 * that is checked out stays, with a warning.
 */
async function branchToDelete(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  bases: readonly string[],
  { warnings }: WorkspaceRemoved,
): Promise<string> {
  const { branch } = workspace;
  const repository = await repositoryOf(deps, workspace);
  const actual = await checkedOut(deps, workspace);
  if (repository === null || actual === undefined || actual === branch) return branch;
  const refs = await readRefs(deps.git, repository);
  if (!refs.has(`refs/heads/${branch}`) && !bases.includes(actual)) return actual;
  warnings.push(`The branch '${actual}', which was checked out in it, was kept.`);
  return branch;
}

/** Keeps its work as a rescue point. From then on the removal is carried out even if the command is ended. */
async function remove(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { force, deleteBranch }: DeleteOptions,
  item: WorkspaceRemoved,
  context: WorkContext,
): Promise<void> {
  const { id, name, path } = workspace;
  const bases = await basesOf(deps, workspace);
  const branch = deleteBranch ? await branchToDelete(deps, workspace, bases, item) : null;
  const repository = await repositoryOf(deps, workspace);
  if (branch !== null && repository !== null && !force)
    await fetchMerge(deps, { repository, branch, bases }, context);
  if (await isThere(path)) await rescueWork(deps, workspace, { deletedBranch: branch, force }, item, context);
  const removal: NotedRemoval = {
    id,
    name,
    path,
    trash: join(deps.home.worktreesDir, trashName(randomUUID())),
    repository,
    branch,
    bases,
    force,
  };
  await context.note(removal);
  const { branchDeleted, warnings } = await carryOut(deps, removal);
  item.worktreeRemoved = true;
  item.branchDeleted = branchDeleted;
  item.warnings.push(...warnings);
  const returned = await awaitRecreation(workspace);
  // Another workspace may have been made there already.
  if (returned !== undefined && !(await deps.store.isTaken(workspace))) item.warnings.push(returned);
  await forget(deps, id, { ...apiRetryOptions, signal: abortAfterGrace(context.signal) });
}

/** Fetches the bases of a branch that is not merged as last fetched: a code host may have merged it since. */
async function fetchMerge(
  { git }: WorkspaceDeps,
  branch: Parameters<typeof isMerged>[1],
  context: WorkContext,
): Promise<void> {
  if (await isMerged(git, branch)) return;
  for (const base of branch.bases) await fetchBase({ git, path: branch.repository }, base, context);
}

/** After a cancellation, removing the workspace in the cloud may take this long, so that the command ends soon. */
const UNREGISTER_GRACE_MS = 3_000;

/** Returns a signal that aborts some time after `signal`. */
function abortAfterGrace(signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const end = () => setTimeout(() => ended.abort(signal.reason), UNREGISTER_GRACE_MS).unref();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return ended.signal;
}
