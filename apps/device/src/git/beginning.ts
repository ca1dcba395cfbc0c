import * as z from "zod";
import { bytePath, contentId } from "./diff/content";
import { irreplaceableFiles } from "./ignored";
import type { OpenWorktree } from "./openWorktree";
import { type Change, readStatus } from "./status";

/** The files of a new worktree that are in no commit, after its setup. */
export const beginning = z.object({
  /** The path of each file that git calls changed, untracked or ignored, with an identification of its content. */
  files: z.record(z.string(), z.string()),
});
export type Beginning = z.infer<typeof beginning>;

export const NO_BEGINNING: Beginning = { files: {} };

/** The most files that are recorded. The others count as work, which only keeps them. */
const MAX_FILES = 2_000;

/** Records the state of a new worktree, so that it is later distinguished from work. */
export async function readBeginning(tree: OpenWorktree, signal?: AbortSignal): Promise<Beginning> {
  const paths = (await readStatus(tree, signal, "all")).map(({ path }) => path);
  for await (const path of irreplaceableFiles(tree, signal)) if (paths.push(path) >= MAX_FILES) break;
  const files: Record<string, string> = {};
  for (const path of paths.slice(0, MAX_FILES))
    if (!path.endsWith("/")) files[path] = await identify(tree, path);
  return { files };
}

/** Whether a file is as it was when the worktree was new. */
export const isAsBegun = async (tree: OpenWorktree, { files }: Beginning, path: string): Promise<boolean> =>
  Object.hasOwn(files, path) && files[path] === (await identify(tree, path));

/** The uncommitted changes since the worktree was new. A file that is as dirty as it began is no change. */
export async function changesSince(
  tree: OpenWorktree,
  begun: Beginning,
  signal?: AbortSignal,
): Promise<Change[]> {
  const isEmpty = Object.keys(begun.files).length === 0;
  const own: Change[] = [];
  // A whole untracked directory is listed file by file only if some of its files may be as they were.
  for (const change of await readStatus(tree, signal, isEmpty ? "normal" : "all"))
    if (!(await isAsBegun(tree, begun, change.path))) own.push(change);
  return own;
}

/** A deleted file has an identification of its own: it may have been missing from the beginning. */
const identify = async ({ path }: OpenWorktree, file: string): Promise<string> =>
  (await contentId(bytePath(path, Buffer.from(file).toString("latin1")), "sha1")) ?? "missing";
