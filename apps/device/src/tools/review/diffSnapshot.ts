import type { DiffFile, WorkspaceDiff } from "@grove/schemas";
import { shown } from "../../git/diff/rawNames";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { ToolDeps } from "../deps";
import { makeRestorePoint } from "../points/makePoint";

/** The number of attempts to read a difference whose files change during the reading. */
const ATTEMPTS = 3;

type DiffSnapshot = NonNullable<WorkspaceDiff["snapshot"]>;

/**
 * Reads a difference and saves its files as a restore point. If the files changed between the two, both are done again.
 * @returns the difference, with a snapshot unless no points are made or the files keep changing
 */
export async function withDiffSnapshot(
  deps: ToolDeps,
  { tree, workspaceId }: { tree: OpenWorktree; workspaceId: string },
  read: () => Promise<WorkspaceDiff>,
  signal: AbortSignal,
): Promise<WorkspaceDiff> {
  const save = async () => (await makeRestorePoint(deps, { workspaceId }, signal)).point;
  let point = await save();
  for (let attempt = 0; ; attempt++) {
    const diff = await read();
    const after = point === null ? null : await save();
    if (point === null || after === point) return { ...diff, snapshot: await snapshotOf(tree, diff, point) };
    if (attempt + 1 >= ATTEMPTS) return { ...diff, snapshot: null };
    point = after;
  }
}

async function snapshotOf(
  tree: OpenWorktree,
  { from, files }: WorkspaceDiff,
  point: string | null,
): Promise<DiffSnapshot | null> {
  if (point === null) return null;
  const sides: DiffSnapshot["files"] = [];
  const [before, after] = [
    from === null
      ? new Map<string, string>()
      : await blobsIn(tree, from, files, ({ oldPath, path }) => oldPath ?? path),
    await blobsIn(tree, point, files, ({ path }) => path),
  ];
  for (const { path, oldPath } of files)
    sides.push({ path, before: before.get(oldPath ?? path) ?? null, after: after.get(path) ?? null });
  return { point, files: sides };
}

/** The blobs of files in a commit, by their path there. */
async function blobsIn(
  { git }: OpenWorktree,
  commit: string,
  files: readonly DiffFile[],
  pathOf: (file: DiffFile) => string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (files.length === 0) return found;
  const args = ["ls-tree", "-z", "--full-tree", "--end-of-options", commit];
  const listed = await git([...args, ...files.map(pathOf)], { encoding: "latin1" });
  for (const entry of listed.split("\0")) {
    const [, blob, name] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (blob !== undefined && name !== undefined) found.set(shown(name), blob);
  }
  return found;
}
