import type { OpenWorktree } from "./worktree/openWorktree";
import { submodulesOf } from "./worktree/submodules";

/** With `normal`, an untracked directory is one entry; with `all`, each of its files is. */
type Untracked = "normal" | "all";

/** Explicit, since the repository's configuration may hide both. With `dirty`, git does not enter submodules. */
const allChanges = (untracked: Untracked) => [`--untracked-files=${untracked}`, "--ignore-submodules=dirty"];

/** A file that differs from its committed state: git's two letters, and its path. */
export interface Change {
  status: string;
  path: string;
}

/**
 * The uncommitted changes of a worktree and its submodules. A submodule with changes counts as a change itself. A
 * rename counts as a removed file and a new one.
 * @throws {GitError}
 */
export async function readStatus(
  tree: OpenWorktree,
  signal?: AbortSignal,
  untracked: Untracked = "normal",
): Promise<Change[]> {
  const changes = await ownChanges(tree, signal, allChanges(untracked));
  const changedPaths = new Set(changes.map(({ path }) => path));
  for (const path of await changedSubmodules(tree, signal))
    if (!changedPaths.has(path)) changes.push({ status: " M", path });
  return changes;
}

/**
 * Lists the submodules with uncommitted changes of their own. Includes submodules that cannot be opened, since they may
 * have changes.
 */
export async function changedSubmodules(tree: OpenWorktree, signal?: AbortSignal): Promise<string[]> {
  const changed: string[] = [];
  for await (const submodule of submodulesOf(tree, signal)) {
    const isChanged =
      !submodule.tree || (await ownChanges(submodule.tree, signal, allChanges("normal"))).length > 0;
    if (isChanged) changed.push(submodule.path);
  }
  return changed;
}

/** The ignored files of a worktree without its submodules. A directory that is ignored as a whole ends in a slash. */
export async function readIgnored(tree: OpenWorktree, signal?: AbortSignal): Promise<string[]> {
  const changes = await ownChanges(tree, signal, [...allChanges("normal"), "--ignored=traditional"]);
  return changes.flatMap(({ status, path }) => (status === "!!" ? [path] : []));
}

async function ownChanges(
  { git }: OpenWorktree,
  signal: AbortSignal | undefined,
  options: string[],
): Promise<Change[]> {
  const status = await git(["status", "--porcelain=v1", "-z", "--no-renames", ...options], { signal });
  return status
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => ({ status: entry.slice(0, 2), path: entry.slice(3) }));
}
