import * as z from "zod";
import { bytePath, contentId } from "../diff/contentId";
import { type Change, readStatus } from "../status";
import { irreplaceableFiles } from "../unsavedWork/ignored";
import type { OpenWorktree } from "./openWorktree";

/** The files of a new worktree that are in no commit, after its setup. */
export const initialState = z.object({
  /** The changed, untracked and ignored files by path, each with a hash of its content. */
  files: z.record(z.string(), z.string()),
});
export type InitialState = z.infer<typeof initialState>;

export const EMPTY_INITIAL_STATE: InitialState = { files: {} };

/** The most files that are recorded. The others count as work, which only keeps them. */
const MAX_FILES = 2_000;

/** Records the state of a new worktree, so that it is later distinguished from work. */
export async function readInitialState(tree: OpenWorktree, signal?: AbortSignal): Promise<InitialState> {
  const paths = (await readStatus(tree, signal, "all")).map(({ path }) => path);
  for await (const path of irreplaceableFiles(tree, signal)) if (paths.push(path) >= MAX_FILES) break;
  const files: Record<string, string> = {};
  for (const path of paths.slice(0, MAX_FILES))
    if (!path.endsWith("/")) files[path] = await identify(tree, path);
  return { files };
}

/** Whether a file has not changed since the worktree's setup. */
export const isUnchangedSinceStart = async (
  tree: OpenWorktree,
  { files }: InitialState,
  path: string,
): Promise<boolean> => Object.hasOwn(files, path) && files[path] === (await identify(tree, path));

/**
 * The uncommitted changes since the worktree was new. A file that still has its uncommitted content of that time does
 * not count.
 */
export async function changesSince(
  tree: OpenWorktree,
  initial: InitialState,
  signal?: AbortSignal,
): Promise<Change[]> {
  const isEmpty = Object.keys(initial.files).length === 0;
  const ownChanges: Change[] = [];
  // A whole untracked directory is listed file by file only if some of its files may be unchanged.
  for (const change of await readStatus(tree, signal, isEmpty ? "normal" : "all"))
    if (!(await isUnchangedSinceStart(tree, initial, change.path))) ownChanges.push(change);
  return ownChanges;
}

/** Returns `missing` for a deleted file, since a file may already be missing in a new worktree. */
const identify = async ({ path }: OpenWorktree, file: string): Promise<string> =>
  (await contentId(bytePath(path, Buffer.from(file).toString("latin1")), "sha1")) ?? "missing";
