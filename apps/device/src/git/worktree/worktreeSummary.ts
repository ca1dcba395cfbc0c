import type { WorkspaceDetails } from "@grove/schemas";
import { comparedBase, type RecordedBase } from "../compareBase";
import { listChanges } from "../diff/changes";
import { comparing, unlistedFiles } from "../diff/compared";
import { mergeRenames } from "../mergeRenames";
import { currentCommit } from "../refs";
import { changesSince, type InitialState } from "./initialState";
import type { OpenWorktree } from "./openWorktree";

const CHANGES = 200;
const COMMITS = 10;
const DIFF_OPTIONS = { context: 0, ignoreWhitespace: false };
/** Commit messages can be long, and an agent pays for each word. */
const MAX_TEXT = 300;

/**
 * `git status` since the worktree was new, file by file: at most 200 files, and the total number. A rename is one
 * change.
 */
export async function readChanges(
  tree: OpenWorktree,
  initial: InitialState,
  signal: AbortSignal,
): Promise<Pick<WorkspaceDetails, "changes" | "changesTotal">> {
  const changes = await mergeRenames(tree, await changesSince(tree, initial, signal), signal);
  return { changes: changes.slice(0, CHANGES), changesTotal: changes.length };
}

/** The last commits of what is checked out, newest first: at most 10. Empty before the first commit. */
export async function readCommits(
  { git, path }: OpenWorktree,
  signal: AbortSignal,
): Promise<WorkspaceDetails["commits"]> {
  if ((await currentCommit(git, path)) === undefined) return [];
  const format = "--format=%H%x00%s%x00%an%x00%aI";
  const log = await git(["log", `--max-count=${COMMITS}`, "-z", format, "HEAD"], { signal });
  const words = log.split("\0");
  const commits = [];
  for (let at = 0; at + 3 < words.length; at += 4) {
    const [sha = "", subject = "", author = "", date = ""] = words.slice(at, at + 4);
    commits.push({ sha, subject: shorten(subject), author: shorten(author), at: date });
  }
  return commits;
}

/**
 * How much a worktree differs from where it left its base. Counts what get_workspace_diff lists: also uncommitted and
 * untracked files, and a rename as one file.
 * @returns null if neither the base nor the commit where it began shares history with the worktree
 */
export async function readDiff(
  tree: OpenWorktree,
  base: RecordedBase,
  signal: AbortSignal,
): Promise<WorkspaceDetails["diff"]> {
  const commit = (await comparedBase(tree, base, signal))?.fork;
  if (commit === undefined) return null;
  return comparing({ tree, commit, signal }, async (compared) => {
    const changes = await listChanges(compared, DIFF_OPTIONS);
    return {
      base: base.baseBranch,
      filesChanged: changes.length + unlistedFiles(compared),
      insertions: changes.reduce((sum, { insertions }) => sum + insertions, 0),
      deletions: changes.reduce((sum, { deletions }) => sum + deletions, 0),
    };
  });
}

const shorten = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…` : text;
