import type { Anchor, AnchorPlace } from "@grove/schemas";
import { shown } from "../diff/rawNames";
import { type Git, GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";
import { hunksOf, type LineHunk, linesIn, mapLines, uniquePlace } from "./mapLines";

/** The current trees of a diff's two sides. `before` is null if that tree is no longer known. */
export interface CurrentTrees {
  before: string | null;
  after: string;
}

/** Files larger than this are not searched for lines. */
const MAX_SEARCHED_BYTES = 2 * 1024 * 1024;

/**
 * Finds where the files and lines of anchors are now. A range that a diff of the two blobs leaves alone moves with the
 * lines around it. Changed lines are found again only if they occur once in each of the two files.
 * @returns the places, in the order of the anchors
 */
export async function resolveAnchors(
  worktree: OpenWorktree,
  anchors: readonly Anchor[],
  trees: CurrentTrees,
  signal?: AbortSignal,
): Promise<AnchorPlace[]> {
  const git: Git = (args, options) => worktree.git(args, { signal, encoding: "latin1", ...options });
  const renames = remember((key) => {
    const [point = "", tree = ""] = key.split(" ");
    return changedFiles(git, point, tree);
  });
  const hunks = remember((key) => blobHunks(git, key.split(" ")));
  const places: AnchorPlace[] = [];
  for (const anchor of anchors) {
    if (!("path" in anchor)) {
      places.push({ status: "here" });
      continue;
    }
    const tree = trees[anchor.side];
    places.push(tree === null ? { status: "unknown" } : await placeOf(git, { anchor, tree, renames, hunks }));
  }
  return places;
}

/** Calls a function once for each key. */
function remember<Answer>(find: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const found = new Map<string, Promise<Answer>>();
  return (key) => {
    const answer = found.get(key) ?? find(key);
    found.set(key, answer);
    return answer;
  };
}

interface Question {
  anchor: Extract<Anchor, { path: string }>;
  tree: string;
  renames: (key: string) => Promise<ChangedFiles | undefined>;
  hunks: (key: string) => Promise<LineHunk[] | undefined>;
}

async function placeOf(git: Git, { anchor, tree, renames, hunks }: Question): Promise<AnchorPlace> {
  const { point, path, blob } = anchor;
  const changed = await renames(`${point} ${tree}`);
  // A restore point that was removed leaves its blobs, at least if a commit has them.
  const now = changed ? currentFile(changed, path, blob) : await fileAt(git, tree, path);
  if (now === undefined) return { status: changed ? "gone" : "unknown" };
  const isSamePath = now.path === path;
  if (!("from" in anchor)) return isSamePath ? { status: "here" } : { status: "moved", path: now.path };
  const { from, to } = anchor;
  if (now.blob === blob)
    return isSamePath ? { status: "here" } : { status: "moved", path: now.path, from, to };
  const between = await hunks(`${blob} ${now.blob}`);
  if (between === undefined) return { status: "unknown" };
  const mapped = mapLines({ from, to }, between);
  if (!("nearest" in mapped))
    return isSamePath && mapped.from === from
      ? { status: "here" }
      : { status: "moved", path: now.path, ...mapped };
  const [old, current] = [await linesOf(git, blob), await linesOf(git, now.blob)];
  const wanted = old.slice(from - 1, to);
  const place = uniquePlace(wanted, old) && uniquePlace(wanted, current);
  if (place) return { status: "moved", path: now.path, ...place };
  return {
    status: "outdated",
    path: now.path,
    nearest: Math.min(mapped.nearest, Math.max(1, current.length)),
  };
}

interface CurrentFile {
  path: string;
  blob: string;
}

/** The files that differ, by their path before; null for a deleted one. */
type ChangedFiles = Map<string, CurrentFile | null>;

/** @returns undefined if git no longer has one of the commits */
async function changedFiles(git: Git, from: string, to: string): Promise<ChangedFiles | undefined> {
  const args = ["diff-tree", "-r", "-z", "-M", "--raw", "--no-abbrev", "--end-of-options", from, to];
  const listed = await git(args).catch(undefinedIfMissing);
  if (listed === undefined) return undefined;
  const parts = listed.split("\0");
  const changed: ChangedFiles = new Map();
  for (let at = 0; at + 1 < parts.length; ) {
    const [, , , blob = "", status = ""] = (parts[at] ?? "").split(" ");
    const before = parts[at + 1] ?? "";
    const isRename = /^[RC]/.test(status);
    const path = isRename ? (parts[at + 2] ?? "") : before;
    at += isRename ? 3 : 2;
    if (status.startsWith("C") || status === "A") continue;
    changed.set(shown(before), status === "D" ? null : { path: shown(path), blob });
  }
  return changed;
}

/** @returns undefined for a deleted file */
function currentFile(changed: ChangedFiles, path: string, blob: string): CurrentFile | undefined {
  const found = changed.get(path);
  return found === null ? undefined : (found ?? { path, blob });
}

async function fileAt(git: Git, tree: string, path: string): Promise<CurrentFile | undefined> {
  const listed = await git(["ls-tree", "-z", "--full-tree", "--end-of-options", tree, path]);
  const blob = /^\d+ blob ([0-9a-f]+)\t/.exec(listed)?.[1];
  return blob === undefined ? undefined : { path, blob };
}

/** @returns undefined if git no longer has one of the blobs */
async function blobHunks(git: Git, blobs: readonly string[]): Promise<LineHunk[] | undefined> {
  const options = [
    ...["--no-ext-diff", "--no-textconv", "--no-color", "--text"],
    ...["-U0", "--inter-hunk-context=0"],
  ];
  const patch = await git(["diff", ...options, "--end-of-options", ...blobs]).catch(undefinedIfMissing);
  return patch === undefined ? undefined : hunksOf(patch);
}

async function linesOf(git: Git, blob: string): Promise<string[]> {
  const size = Number(await git(["cat-file", "-s", blob]));
  return size > MAX_SEARCHED_BYTES ? [] : linesIn(await git(["cat-file", "blob", blob]));
}

/** git answers with 128 for an object that it does not have. */
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof GitError && error.code === 128) return undefined;
  throw error;
}
