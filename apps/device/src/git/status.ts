import type { OpenWorktree } from "./openWorktree";
import { submodulesOf } from "./submodules";

/** Said explicitly: the repository's configuration may hide both. git does not enter submodules for `dirty`. */
const ALL = ["--untracked-files=normal", "--ignore-submodules=dirty"];

/** A file that differs from what is committed: git's two letters, and its path. */
export interface Change {
  status: string;
  path: string;
}

/**
 * What is not committed in a worktree, its submodules included: one that has changes is a change itself. Renames are a
 * file that is gone and one that is new.
 * @throws {GitError}
 */
export async function readStatus(tree: OpenWorktree, signal?: AbortSignal): Promise<Change[]> {
  const changes = await ownChanges(tree, signal);
  const known = new Set(changes.map(({ path }) => path));
  for await (const submodule of submodulesOf(tree, signal)) {
    if (known.has(submodule.path)) continue;
    // One that cannot be looked into may have any.
    const isChanged = !submodule.tree || (await ownChanges(submodule.tree, signal)).length > 0;
    if (isChanged) changes.push({ status: " M", path: submodule.path });
  }
  return changes;
}

async function ownChanges({ git }: OpenWorktree, signal: AbortSignal | undefined): Promise<Change[]> {
  const status = await git(["status", "--porcelain=v1", "-z", "--no-renames", ...ALL], { signal });
  return status
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => ({ status: entry.slice(0, 2), path: entry.slice(3) }));
}
