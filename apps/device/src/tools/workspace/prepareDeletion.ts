import type { WorkspaceRemoved } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { GitError } from "../../git/run";
import { unsavedWork } from "../../git/unsavedWork/unsaved";
import type { LocalWorkspace } from "../../home/store";
import { unreadable } from "../../home/workspaces";
import type { WorkContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { lockOf, openWorkspace, repositoryOf } from "./openWorkspace";
import { tearDownWorkspace } from "./setup";
import { endPrograms, requireNoProcesses } from "./worktreePrograms";

export type DeleteOptions = { force: boolean; deleteBranch: boolean };

/** `git worktree lock` protects even a missing directory. Like unsaved work, it yields to force. */
export async function checkLock(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { force }: DeleteOptions,
  { warnings }: WorkspaceRemoved,
): Promise<void> {
  const lock = await lockOf(deps, workspace);
  if (lock === undefined) return;
  const locked = `locked${lock === "" ? "" : ` (${lock})`}`;
  if (force) {
    warnings.push(`Its worktree was ${locked}; force removed it anyway.`);
    return;
  }
  throw new CommandFailure(
    "worktree_locked",
    `The worktree of workspace "${workspace.name}" is ${locked}. Unlock it with \`git worktree unlock '${workspace.path}'\` in its repository, or use force.`,
  );
}

/** Prepares the removal of a worktree. An abort here does not change the worktree. */
export async function prepareDeletion(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  { force }: DeleteOptions,
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
  if (force) warnings.push(...(await endPrograms(workspace)));
}

async function readUnsavedWork(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const tree = await openWorkspace(deps, workspace);
    const comparison = {
      copiedFrom: await repositoryOf(deps, workspace),
      bases: await basesOf(deps, workspace),
      initial: await deps.store.initialState(workspace.id),
    };
    return await unsavedWork(tree, comparison, signal);
  } catch (error) {
    const failure = error instanceof GitError ? unreadable(workspace, error) : error;
    throw failure instanceof CommandFailure
      ? new CommandFailure(
          failure.reason,
          `${failure.message} With force it is removed with everything in it.`,
        )
      : failure;
  }
}

/** The short names of the branches into which a workspace's work is merged. */
export async function basesOf(
  { store }: WorkspaceDeps,
  { baseBranch, projectId }: LocalWorkspace,
): Promise<string[]> {
  const project = await store.project(projectId);
  return [...new Set([baseBranch, project?.defaultBranch ?? baseBranch])];
}
