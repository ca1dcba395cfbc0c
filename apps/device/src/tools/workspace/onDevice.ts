import { join } from "node:path";
import type { WorkspaceOnDevice } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { NotItsWorktreeError, type OpenWorktree, openWorktree } from "../../git/openWorktree";
import { currentBranch } from "../../git/refs";
import { GitError } from "../../git/run";
import { listWorktrees, worktreeStatus } from "../../git/worktree";
import { isThere } from "../../home/home";
import type { LocalWorkspace, Store } from "../../home/store";
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
  const [tree, begun] = await Promise.all([openWorkspace(deps, workspace), deps.store.beginning(id)]);
  const status = await worktreeStatus(tree, workspace, begun, signal).catch((error) => {
    throw error instanceof GitError ? unreadable(workspace, error) : error;
  });
  return { id, projectId, name, path, state: "ready", ...status, active: id === activeId };
}

/**
 * Finds the workspace with an id, ready to be used.
 * @throws {CommandFailure} `workspace_not_found`, `workspace_busy`
 */
export async function findWorkspace(deps: { store: Store }, id: string): Promise<LocalWorkspace> {
  const workspace = await findEntry(deps, id);
  requireReady(workspace);
  return workspace;
}

/** @throws {CommandFailure} `workspace_busy` if it is still being made */
export function requireReady(workspace: LocalWorkspace): void {
  if (workspace.creating) throw new WorkspaceBusy(workspace);
}

/** A workspace is still being made. */
export class WorkspaceBusy extends CommandFailure {
  readonly workspaceId: string;

  constructor({ id, name, creating }: LocalWorkspace, next?: string) {
    const commandId = creating?.commandId;
    const wait =
      commandId === undefined
        ? "Wait, then try again. If nothing is creating it any longer, delete it with force."
        : `Wait for command ${commandId} (get_command), then try again.`;
    super("workspace_busy", `Workspace "${name}" (${id}) is still being created. ${next ?? wait}`);
    this.workspaceId = id;
  }
}

/**
 * Finds this device's entry of a workspace, even while it is being made.
 * @throws {CommandFailure} `workspace_not_found`
 */
export async function findEntry({ store }: { store: Store }, id: string): Promise<LocalWorkspace> {
  const workspace = await store.workspace(id);
  if (workspace) return workspace;
  throw new CommandFailure(
    "workspace_not_found",
    `This device has no workspace ${id}. list_workspaces returns those it has.`,
  );
}

/**
 * Makes sure that a workspace's directory looks like a worktree. If its `.git` were gone, git would use whatever
 * repository surrounds it. {@link openWorkspace} checks more closely before git is run in it.
 * @throws {CommandFailure} `worktree_missing`, `worktree_unreadable`
 */
export async function requireWorktree(workspace: LocalWorkspace): Promise<void> {
  const { name, path } = workspace;
  if (!(await isThere(path)))
    throw new CommandFailure(
      "worktree_missing",
      `The worktree of workspace "${name}" was at ${path} but is no longer there. Remove its entry with delete_workspace.`,
    );
  if (!(await isThere(join(path, ".git")))) throw unreadable(workspace, new Error("there is no .git in it"));
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

/** The error for a workspace whose repository or `.git` was moved or removed: it is an ordinary directory now. */
export const unreadable = ({ name, path }: LocalWorkspace, { message }: Error): CommandFailure =>
  new CommandFailure(
    "worktree_unreadable",
    `git cannot read the worktree of workspace "${name}" at ${path} (${message}). If its repository was moved, run \`git worktree repair ${path}\` in it.`,
  );

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
