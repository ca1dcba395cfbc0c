import { access, constants, lstat } from "node:fs/promises";
import type { SkippedFile } from "@grove/schemas";
import { withCopiedIndex } from "../copiedIndex";
import { bytePath } from "../diff/contentId";
import { type RawName, shown } from "../diff/rawNames";
import { type Git, GitError } from "../run";
import { changedSubmodules } from "../status";
import { hiddenEdits } from "../unsavedWork/hiddenEdits";
import type { OpenWorktree } from "../worktree/openWorktree";

/** Larger files are left out of a snapshot. */
const FILE_BYTES = 20 * 1024 * 1024;
/** The size of all changed and untracked files in a snapshot. */
const TOTAL_BYTES = 200 * 1024 * 1024;
/** How many files are checked at a time. */
const BATCH = 100;
/** The most files that git may fail to store before the snapshot is abandoned. */
const MAX_FAILURES = 50;

/** All files of a worktree that git does not ignore, stored in the repository, and what is staged. */
export interface Snapshot {
  tree: string;
  /** The tree of the index; null with unresolved conflicts, which no tree can hold. */
  staged: string | null;
  /** A copy of the index with all files of `tree`. */
  indexFile: string;
  skipped: SkippedFile[];
}

interface SnapshotOptions {
  /** Whether edits of files that are marked "assume unchanged" or "skip worktree" are left out, as `git add` does. */
  withoutMarked?: boolean;
}

/**
 * Stores the files of a worktree for `work`. Only a copy of the index is changed: even `write-tree` would rewrite the
 * original.
 */
export const withSnapshot = <T>(
  worktree: OpenWorktree,
  signal: AbortSignal | undefined,
  work: (snapshot: Snapshot) => Promise<T>,
  { withoutMarked = false }: SnapshotOptions = {},
): Promise<T> =>
  withCopiedIndex(worktree, async (indexFile) => {
    // A split index would write files beside the original.
    const config = ["-c", "core.splitIndex=false", "-c", "core.safecrlf=false"];
    const git: Git = (args, options) =>
      worktree.git([...config, ...args], { signal, indexFile, encoding: "latin1", ...options });
    const unmerged = namesIn(await git(["ls-files", "--unmerged", "-z"])).map(nameOfEntry);
    const staged = unmerged.length > 0 ? null : await writeTree(git);
    const marked = withoutMarked ? [] : await hiddenEdits(worktree, signal);
    const hidden = marked.map((name) => Buffer.from(name).toString("latin1"));
    if (hidden.length > 0) await unhide(git, hidden);
    const changed = namesIn(await git(["ls-files", "--modified", "--deleted", "-z"]));
    const untracked = namesIn(await git(["ls-files", "--others", "--exclude-standard", "-z"]));
    const tracked = withoutReplaced([...unmerged, ...changed, ...hidden], new Set(untracked));
    const candidates = [...new Set([...tracked, ...untracked])];
    const { names, skipped } = await choose(worktree, candidates);
    skipped.push(...(await addFiles(git, names)));
    for (const path of await changedSubmodules(worktree, signal)) skipped.push({ path, why: "submodule" });
    return work({ tree: await writeTree(git), staged, indexFile, skipped });
  });

const namesIn = (listed: string): RawName[] => listed.split("\0").filter((name) => name !== "");

/** "100644 <id> <stage>\t<name>" */
const nameOfEntry = (entry: string): RawName => entry.slice(entry.indexOf("\t") + 1);

const writeTree = async (git: Git): Promise<string> => (await git(["write-tree"])).trim();

/** Clears the marks "assume unchanged" and "skip worktree", for which git ignores edits. */
async function unhide(git: Git, names: RawName[]): Promise<void> {
  // Together, git would apply only the first option.
  for (const option of ["--no-assume-unchanged", "--no-skip-worktree"])
    await git(["update-index", option, "-z", "--stdin"], { input: asInput(names) });
}

const asInput = (names: RawName[]): string => names.map((name) => `${name}\0`).join("");

/** Leaves out files of a directory that a link or a file has replaced: git refuses to look for them behind a link. */
const withoutReplaced = (tracked: RawName[], untracked: ReadonlySet<RawName>): RawName[] =>
  tracked.filter((name) => {
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1))
      if (untracked.has(name.slice(0, at))) return false;
    return true;
  });

/** Leaves out other repositories, and files that are too large or cannot be read. */
async function choose(
  { path }: OpenWorktree,
  candidates: RawName[],
): Promise<{ names: RawName[]; skipped: SkippedFile[] }> {
  const names: RawName[] = [];
  const skipped: SkippedFile[] = [];
  let total = 0;
  const skip = (name: RawName, why: SkippedFile["why"]) => skipped.push({ path: shown(name), why });
  for (let at = 0; at < candidates.length; at += BATCH) {
    const batch = candidates.slice(at, at + BATCH);
    const found = await Promise.all(batch.map((name) => inspect(bytePath(path, name))));
    for (const [index, name] of batch.entries()) {
      const { size, readable } = found[index] ?? { size: 0, readable: true };
      if (name.endsWith("/")) skip(name, "repository");
      else if (!readable) skip(name, "unreadable");
      else if (size > FILE_BYTES) skip(name, "too_large");
      else if (total + size > TOTAL_BYTES) skip(name, "total_too_large");
      else {
        total += size;
        names.push(name);
      }
    }
  }
  return { names, skipped };
}

/** The size counts only for files, and a file that no longer exists has none. */
async function inspect(path: Buffer): Promise<{ size: number; readable: boolean }> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return { size: 0, readable: true };
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  return { size: found.size, readable };
}

/**
 * Adds files to the index. Not `git add`, which runs git in submodules with a configuration that the worktree brings
 * along.
 * @returns the files that git could not store, for instance because a filter is missing
 */
async function addFiles(git: Git, names: RawName[]): Promise<SkippedFile[]> {
  const failed: SkippedFile[] = [];
  const remaining = new Set(names);
  for (;;)
    try {
      const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
      if (remaining.size > 0) await git(args, { input: asInput([...remaining]) });
      return failed;
    } catch (error) {
      const name = error instanceof GitError ? failedName(error) : undefined;
      if (name === undefined || failed.length >= MAX_FAILURES || !remaining.delete(name)) throw error;
      failed.push({ path: shown(name), why: "unreadable" });
    }
}

function failedName({ stderr }: GitError): RawName | undefined {
  const name = /^fatal: Unable to process path (.+)$/m.exec(stderr)?.[1];
  return name === undefined ? undefined : Buffer.from(name).toString("latin1");
}
