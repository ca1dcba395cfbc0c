import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DeviceToolParams, DeviceToolResult, WorkspaceRemoved } from "@grove/schemas";
import { CommandFailure, toCommandError } from "../errors";
import { readRefs } from "../git/refs";
import { trashName } from "../git/removal";
import { GitError } from "../git/run";
import { unsavedWork } from "../git/unsaved";
import { isThere } from "../home/home";
import type { LocalWorkspace } from "../home/store";
import type { WorkspaceDeps } from "./deps";
import { CLOUD_PATIENCE } from "./repository";
import type { Tool, WorkContext } from "./tool";
import { comeback, endOccupants, requireNoProcesses } from "./workspace/occupants";
import {
  checkedOut,
  findEntry,
  lockOf,
  openWorkspace,
  repositoryOf,
  unreadable,
  WorkspaceBusy,
} from "./workspace/onDevice";
import { carryOut, forget, type NotedRemoval, recoverRemovals } from "./workspace/removal";
import { tearDownWorkspace } from "./workspace/setup";

type Options = { force: boolean; deleteBranch: boolean };

/** delete_workspace: removes worktrees, and their entries here and in the cloud. */
export const deleteWorkspace = (deps: WorkspaceDeps): Tool<"delete_workspace"> => ({
  run: (params, context) => removeWorkspaces(deps, params, context),
  recover: (notes, context) => recoverRemovals(deps, notes, context),
});

/**
 * Removes workspaces one after another; one that fails does not stop the others. A workspace that is locked, has
 * unsaved work, running agent sessions or other programs in it stays unless `force`. A workspace that is still being
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
    // Removals are reported even if the command was ended; its caller cannot learn of them otherwise.
    if (!workspaces.some(({ worktreeRemoved }) => worktreeRemoved)) context.signal.throwIfAborted();
  }
  return { workspaces };
}

/** Never throws. */
async function deleteOne(
  deps: WorkspaceDeps,
  id: string,
  options: Options,
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
    // The lock keeps anyone from starting a session in it, or deleting it a second time, meanwhile.
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
        if (await isThere(path)) await prepare(deps, workspace, options, item, context);
        else item.warnings.push(`Its directory ${path} was already gone.`);
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
 * Ends the work on a workspace that this process is making, which undoes it.
 * @returns whether that removed it. It may just have become ready, or be another process's
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

/** `git worktree lock` protects even a missing directory. Like unsaved work, it yields to force. */
async function checkLock(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { force }: Options,
  { warnings }: WorkspaceRemoved,
): Promise<void> {
  const lock = await lockOf(deps, workspace);
  if (lock === undefined) return;
  const locked = `locked${lock === "" ? "" : ` (${lock})`}`;
  if (force) {
    warnings.push(`Its worktree was ${locked}; force removed it all the same.`);
    return;
  }
  throw new CommandFailure(
    "worktree_locked",
    `The worktree of workspace "${workspace.name}" is ${locked}. Unlock it with \`git worktree unlock '${workspace.path}'\` in its repository, or use force.`,
  );
}

/** Does everything that comes before the worktree is removed. An abort here leaves the worktree as it is. */
async function prepare(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { force }: Options,
  { warnings }: WorkspaceRemoved,
  context: WorkContext,
): Promise<void> {
  const { signal } = context;
  const { sessions } = deps;
  const { id, name } = workspace;
  if (!force) {
    const running = sessions.runningIn(id);
    if (running.length > 0)
      throw new CommandFailure(
        "sessions_running",
        `Agent sessions run in workspace "${name}" (${running.join(", ")}). Stop them with stop_agent_session, or use force to end them.`,
      );
    const unsaved = await readUnsavedWork(deps, workspace, signal);
    if (unsaved.length > 0)
      throw new CommandFailure(
        "unsaved_work",
        `Workspace "${name}" has ${unsaved.join(" and ")}. Commit and push that, copy ignored files elsewhere, or use force to lose it.`,
      );
    await requireNoProcesses(workspace);
  }
  const ending = sessions.runningIn(id);
  if (ending.length > 0) warnings.push(`It ended these agent sessions: ${ending.join(", ")}.`);
  await sessions.stopIn(id);
  const repository = await repositoryOf(deps, workspace);
  if (repository !== null) warnings.push(...(await tearDownWorkspace(deps, repository, workspace, context)));
  if (force) warnings.push(...(await endOccupants(workspace)));
}

async function readUnsavedWork(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const tree = await openWorkspace(deps, workspace);
    const from = {
      copiedFrom: await repositoryOf(deps, workspace),
      bases: await basesOf(deps, workspace),
      begun: await deps.store.beginning(workspace.id),
    };
    return await unsavedWork(tree, from, signal);
  } catch (error) {
    const why = error instanceof GitError ? unreadable(workspace, error) : error;
    throw why instanceof CommandFailure
      ? new CommandFailure(why.reason, `${why.message} With force it is removed with everything in it.`)
      : why;
  }
}

/** The short names of the branches into which a workspace's work is merged. */
async function basesOf(
  { store }: WorkspaceDeps,
  { baseBranch, projectId }: LocalWorkspace,
): Promise<string[]> {
  const project = await store.project(projectId);
  return [...new Set([baseBranch, project?.defaultBranch ?? baseBranch])];
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
  warnings.push(`The branch '${actual}', which was checked out in it, stays.`);
  return branch;
}

/** From here on the removal is carried out even if the command is ended. */
async function remove(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { force, deleteBranch }: Options,
  item: WorkspaceRemoved,
  context: WorkContext,
): Promise<void> {
  const { id, name, path } = workspace;
  const bases = await basesOf(deps, workspace);
  const branch = deleteBranch ? await branchToDelete(deps, workspace, bases, item) : null;
  const removal: NotedRemoval = {
    id,
    name,
    path,
    trash: join(deps.home.worktreesDir, trashName(randomUUID())),
    repository: await repositoryOf(deps, workspace),
    branch,
    bases,
    force,
  };
  await context.note(removal);
  const { branchDeleted, warnings } = await carryOut(deps, removal);
  item.worktreeRemoved = true;
  item.branchDeleted = branchDeleted;
  item.warnings.push(...warnings);
  const returned = await comeback(workspace);
  // Another workspace may have been made there already.
  if (returned !== undefined && !(await deps.store.isTaken(workspace))) item.warnings.push(returned);
  await forget(deps, id, { ...CLOUD_PATIENCE, signal: later(context.signal) });
}

/** The command answers soon after it is ended, but the cloud is notified first if it can be reached. */
const LAST_CALL_MS = 3_000;

function later(signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const end = () => setTimeout(() => ended.abort(signal.reason), LAST_CALL_MS).unref();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return ended.signal;
}
