import type { SkippedFile } from "@grove/schemas";
import { currentBranch, currentCommit } from "../refs";
import type { OpenWorktree } from "../worktree/openWorktree";
import { numberedPointsPrefix, numberOf, pruneExpired, readNumberedPoints, writeCommit } from "./pointRefs";
import { type Snapshot, withSnapshot } from "./snapshot";

export interface MadePoint {
  /** The commit with the files. */
  point: string;
  tree: string;
  number: number;
  skipped: SkippedFile[];
}

/**
 * Makes a restore point of a worktree and removes expired ones. It does not change index, stash, HEAD and
 * configuration, and no hook runs. If nothing has changed since the newest point, that one is returned.
 * @param minNumber the point's number if the newest one has a lower number; the next number otherwise
 */
export const writePoint = (
  worktree: OpenWorktree,
  { workspaceId, minNumber }: { workspaceId: string; minNumber?: number | undefined },
  signal?: AbortSignal,
): Promise<MadePoint> =>
  withSnapshot(worktree, signal, (snapshot) => savePoint(worktree, snapshot, { workspaceId, minNumber }));

/** Saves a snapshot as a restore point. */
export async function savePoint(
  worktree: OpenWorktree,
  snapshot: Snapshot,
  { workspaceId, minNumber = 0 }: { workspaceId: string; minNumber?: number | undefined },
): Promise<MadePoint> {
  const { git, path } = worktree;
  const { tree, skipped } = snapshot;
  const head = await currentCommit(git, path);
  const newest = (await readNumberedPoints(git, path, workspaceId)).at(-1);
  if (newest && newest.tree === tree && newest.parents[0] === head)
    return { point: newest.commit, tree, number: numberOf(newest), skipped };
  const number = Math.max(minNumber, newest ? numberOf(newest) + 1 : 1);
  const message = `Restore point ${number}\n\nBranch: ${(await currentBranch(git, path)) ?? "(none)"}`;
  const parents = head === undefined ? [] : await parentsOf(worktree, snapshot, head);
  const point = await writeCommit(git, path, { tree, parents, message });
  const ref = `${numberedPointsPrefix(workspaceId)}/${number}`;
  // The zero id makes git fail if the ref already exists.
  await git(["update-ref", "--no-deref", ref, point, "0".repeat(point.length)]);
  await pruneExpired(git, path, workspaceId);
  return { point, tree, number, skipped };
}

/** HEAD, and the index as a commit if something is staged. */
export async function parentsOf(
  { git, path }: OpenWorktree,
  { staged }: Snapshot,
  head: string,
): Promise<string[]> {
  if (staged === null || staged === (await treeOf(git, head))) return [head];
  return [head, await writeCommit(git, path, { tree: staged, parents: [head], message: "Staged files" })];
}

export const treeOf = async (git: OpenWorktree["git"], commit: string): Promise<string> =>
  (await git(["rev-parse", "--verify", `${commit}^{tree}`])).trim();
