import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { DIFF_FILE_BYTES, DIFF_FILES } from "@grove/schemas";
import { withCopiedIndex } from "../copiedIndex";
import { currentCommit } from "../refs";
import type { OpenWorktree } from "../worktree/openWorktree";
import { bytePath } from "./contentId";
import type { RawName } from "./rawNames";

/** Two sides to compare: a commit, and a worktree with all that is not committed. */
export interface Compared {
  tree: OpenWorktree;
  signal: AbortSignal;
  /** The tree that is compared with. */
  from: string;
  hash: "sha1" | "sha256";
  /** An index in which untracked files count as added, and conflicts as settled; undefined if git's own will do. */
  indexFile: string | undefined;
  /** All untracked files, sorted. */
  untracked: RawName[];
  /** The untracked files that are too large to be in `indexFile`. */
  large: RawName[];
  unmerged: ReadonlySet<RawName>;
}

/**
 * Prepares a comparison of a worktree, and removes what it needed once `work` has ended. Git's own index stays as it
 * is.
 * @param commit null to compare with nothing, before the first commit
 */
export async function comparing<T>(
  { tree, commit, signal }: { tree: OpenWorktree; commit: string | null; signal: AbortSignal },
  work: (compared: Compared) => Promise<T>,
): Promise<T> {
  const options = { signal, encoding: "latin1" } as const;
  const names = (listed: string) => listed.split("\0").filter((name) => name !== "");
  const [format, others, conflicts] = await Promise.all([
    tree.git(["rev-parse", "--show-object-format"], options),
    tree.git(["ls-files", "--others", "--exclude-standard", "-z"], options),
    tree.git(["ls-files", "--unmerged", "-z"], options),
  ]);
  const hash = format.trim() === "sha256" ? "sha256" : "sha1";
  // A directory is another repository, whose files git does not list.
  const untracked = names(others).filter((name) => !name.endsWith("/"));
  const unmerged = new Set(names(conflicts).map((entry) => entry.slice(entry.indexOf("\t") + 1)));
  const looked = untracked.slice(0, DIFF_FILES.untracked);
  const large: RawName[] = [];
  const added: RawName[] = [];
  for (const name of looked) {
    const found = await lstat(bytePath(tree.path, name)).catch(() => undefined);
    if (found) (found.size > DIFF_FILE_BYTES ? large : added).push(name);
  }
  const fromTree = commit ?? createHash(hash).update("tree 0\0").digest("hex");
  const sides = { tree, signal, from: fromTree, hash, untracked, large, unmerged } as const;
  if (added.length === 0 && unmerged.size === 0) return work({ ...sides, indexFile: undefined });

  return withCopiedIndex(tree, async (indexFile) => {
    // No content is stored: git reads the file, regardless of the entry's blob.
    const empty = createHash(hash).update("blob 0\0").digest("hex");
    const input = [...added, ...unmerged].map((name) => `100644 ${empty}\t${name}\0`).join("");
    await tree.git(["update-index", "--replace", "-z", "--index-info"], { ...options, indexFile, input });
    return work({ ...sides, indexFile });
  });
}

/** How many untracked files are beyond the limit, and therefore not compared. */
export const unlistedFiles = ({ untracked }: Compared): number =>
  Math.max(0, untracked.length - DIFF_FILES.untracked);

/** The commit that is checked out, or null before the first one. */
export const headOf = async ({ git, path }: OpenWorktree): Promise<string | null> =>
  (await currentCommit(git, path)) ?? null;
