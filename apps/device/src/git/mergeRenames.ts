import type { WorkspaceDetails } from "@grove/schemas";
import { type Change as DiffChange, listChanges } from "./diff/changes";
import { comparing, headOf } from "./diff/compared";
import type { RawName } from "./diff/rawNames";
import type { Change } from "./status";
import type { OpenWorktree } from "./worktree/openWorktree";

type Changes = WorkspaceDetails["changes"];

const DIFF_OPTIONS = { context: 0, ignoreWhitespace: false };

const isRemoved = ({ status }: Change) => status.includes("D");
const isNew = ({ status }: Change) => status === "??" || status.startsWith("A");
const isDirectory = ({ path }: Change) => path.endsWith("/");
/** As in the output of `git status`, in which bytes that are not UTF-8 are replaced. */
const decode = (name: RawName) => Buffer.from(name, "latin1").toString("utf8");

/**
 * Lists each rename as one change instead of a removed file and a new one. Git itself detects only staged renames.
 * @throws {GitError}
 */
export async function mergeRenames(
  tree: OpenWorktree,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<Changes> {
  if (!changes.some(isRemoved) || !changes.some(isNew)) return [...changes];
  const commit = await headOf(tree);
  return comparing({ tree, commit, signal }, async (compared) => {
    const renames = (await listChanges(compared, DIFF_OPTIONS)).filter(({ oldName }) => oldName !== null);
    const merged = renames.reduce<Changes>(mergeOne, [...changes]);
    const renamed = new Set(merged.flatMap(({ path, oldPath }) => (oldPath === undefined ? [] : [path])));
    const others = compared.untracked.map(decode).filter((path) => !renamed.has(path));
    const isInside = (paths: Iterable<string>, { path }: Change) =>
      [...paths].some((each) => each.startsWith(path));
    // An untracked directory is listed only if it has other files than the renamed ones.
    return merged.filter(
      (change) => !isDirectory(change) || !isInside(renamed, change) || isInside(others, change),
    );
  });
}

/** Replaces the two changes of a rename, if both are listed. The new file may be in an untracked directory. */
function mergeOne(changes: Changes, { oldName, name }: DiffChange): Changes {
  const [oldPath, path] = [decode(oldName ?? ""), decode(name)];
  const removed = changes.find((change) => change.path === oldPath && isRemoved(change));
  const added = changes.find(
    (change) =>
      isNew(change) && (change.path === path || (isDirectory(change) && path.startsWith(change.path))),
  );
  if (!removed || !added) return changes;
  const renamed = { status: removed.status.startsWith("D") ? "R " : " R", path, oldPath };
  return changes.flatMap((change) =>
    change === removed ? [renamed] : change === added && !isDirectory(added) ? [] : [change],
  );
}
