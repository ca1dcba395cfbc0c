import { join } from "node:path";
import { CommandFailure } from "../errors";
import { isThere } from "../lib/fileSystem";
import type { LocalWorkspace, Store } from "./store";

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
 * Makes sure that a workspace's directory looks like a worktree. If its `.git` did not exist, git would use whatever
 * repository surrounds it. `openWorkspace` checks more closely before git is run in it.
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

/** The error for a workspace whose repository or `.git` was moved or removed: it is an ordinary directory now. */
export const unreadable = ({ name, path }: LocalWorkspace, { message }: Error): CommandFailure =>
  new CommandFailure(
    "worktree_unreadable",
    `git cannot read the worktree of workspace "${name}" at ${path} (${message}). If its repository was moved, run \`git worktree repair ${path}\` in it.`,
  );
