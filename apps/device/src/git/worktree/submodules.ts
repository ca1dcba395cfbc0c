import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "../../lib/fileSystem";
import { type OpenWorktree, openSubmodule } from "./openWorktree";

/** A submodule that is checked out. */
export interface Submodule {
  /** Relative to the worktree, even for a submodule within a submodule. */
  path: string;
  /** Undefined if git must not be run in it, because its `.git` does not lead into the repository's own modules. */
  tree: OpenWorktree | undefined;
}

/** A submodule in git's index, which has the mode of a commit. */
const GITLINK = /^160000 \S+ \d\t(.+)$/s;

/** The submodules of a worktree that are not checked out. @throws {GitError} */
export async function emptySubmodules({ git, path }: OpenWorktree, signal?: AbortSignal): Promise<string[]> {
  const empty: string[] = [];
  for (const entry of (await git(["ls-files", "--stage", "-z"], { signal })).split("\0")) {
    const submodule = GITLINK.exec(entry)?.[1];
    if (submodule !== undefined && !(await isThere(join(path, submodule, ".git")))) empty.push(submodule);
  }
  return empty;
}

/**
 * The submodules of a worktree that are checked out, including nested ones. They are taken from the index, not from
 * `.gitmodules`. None is entered through a link, and none twice.
 * @throws {GitError}
 */
export async function* submodulesOf(
  tree: OpenWorktree,
  signal?: AbortSignal,
  seen: Set<string> = new Set([tree.gitDir]),
): AsyncGenerator<Submodule> {
  const root = await realpath(tree.path);
  const listed = await tree.git(["ls-files", "--stage", "-z"], { signal });
  for (const entry of listed.split("\0")) {
    const path = GITLINK.exec(entry)?.[1];
    if (path === undefined || !(await isThere(join(tree.path, path, ".git")))) continue;
    const submodulePath = join(root, path);
    const isPlain = (await realpath(submodulePath).catch(() => undefined)) === submodulePath;
    const submodule = isPlain ? await openSubmodule(tree, submodulePath) : undefined;
    if (submodule === undefined || seen.has(submodule.gitDir)) {
      yield { path, tree: undefined };
      continue;
    }
    seen.add(submodule.gitDir);
    yield { path, tree: submodule };
    for await (const inner of submodulesOf(submodule, signal, seen))
      yield { ...inner, path: join(path, inner.path) };
  }
}
