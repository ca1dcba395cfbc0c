import { join } from "node:path";
import type { WorkspaceOnDevice } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { currentBranch } from "../../git/refs";
import { GitError } from "../../git/run";
import { NotItsWorktreeError, type OpenWorktree, openWorktree } from "../../git/worktree/openWorktree";
import { listWorktrees, worktreeStatus } from "../../git/worktree/worktree";
import type { LocalWorkspace } from "../../home/store";
import { requireWorktree, unreadable } from "../../home/workspaces";
import { isThere } from "../../lib/fileSystem";
import type { WorkspaceDeps } from "../deps";

/**
 * Describes a workspace for callers, with its git status.
 * @throws {CommandFailure} `worktree_missing`, `worktree_unreadable`
 */
export async function inspectWorkspace(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
  activeId: string | null,
  signal: AbortSignal,
): Promise<WorkspaceOnDevice> {
  const { id, projectId, name, path } = workspace;
  const [tree, initial] = await Promise.all([openWorkspace(deps, workspace), deps.store.initialState(id)]);
  const status = await worktreeStatus(tree, workspace, initial, signal).catch((error) => {
    throw error instanceof GitError ? unreadable(workspace, error) : error;
  });
  return { id, projectId, name, path, state: "ready", ...status, active: id === activeId };
}

/**
 * Opens a workspace's worktree for git.
 * @throws {CommandFailure} `worktree_missing`, `worktree_unreadable`
 */
export async function openWorkspace(deps: WorkspaceDeps, workspace: LocalWorkspace): Promise<OpenWorktree> {
  await requireWorktree(workspace);
  const repository = await repositoryOf(deps, workspace);
  if (repository === null)
    throw unreadable(workspace, new Error("the repository of its project is not where it was"));
  try {
    return await openWorktree(deps.git, repository, workspace.path);
  } catch (error) {
    throw error instanceof NotItsWorktreeError || error instanceof GitError
      ? unreadable(workspace, error)
      : error;
  }
}

/** The branch that is checked out in a workspace; undefined with a detached HEAD, or if git cannot read it. */
export async function checkedOut(
  deps: WorkspaceDeps,
  workspace: LocalWorkspace,
): Promise<string | undefined> {
  try {
    const { git, path } = await openWorkspace(deps, workspace);
    return await currentBranch(git, path);
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof GitError) return undefined;
    throw error;
  }
}

/**
 * The reason of `git worktree lock`, empty if none was given; undefined if the worktree is not locked. A locked
 * worktree may be missing on purpose: its disk may be unmounted.
 */
export async function lockOf(deps: WorkspaceDeps, workspace: LocalWorkspace): Promise<string | undefined> {
  const repository = await repositoryOf(deps, workspace);
  if (repository === null) return undefined;
  try {
    return (await listWorktrees(deps.git, repository)).find(({ path }) => path === workspace.path)?.lock;
  } catch (error) {
    // Without a readable repository no lock is known. Other checks report that git cannot read it.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The path of a project's repository on this machine, or null. */
export async function repositoryOf(
  { store }: WorkspaceDeps,
  { projectId }: LocalWorkspace,
): Promise<string | null> {
  const project = await store.project(projectId);
  return project && (await isThere(join(project.path, ".git"))) ? project.path : null;
}
