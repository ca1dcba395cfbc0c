import { join } from "node:path";
import { listShort, MAX_LISTED } from "../../lib/listShort";
import { currentBranch, currentCommit, isCommit, readRefs } from "../refs";
import {
  changesSince,
  EMPTY_INITIAL_STATE,
  type InitialState,
  isUnchangedSinceStart,
} from "../worktree/initialState";
import type { OpenWorktree } from "../worktree/openWorktree";
import { submodulesOf } from "../worktree/submodules";
import { hiddenEdits } from "./hiddenEdits";
import { irreplaceableFiles } from "./ignored";
import { findMerged, mergeTargets } from "./merged";
import { hasSameContent } from "./sameContent";

/** Larger untracked files are not compared; people who copy such files into worktrees usually have git ignore them. */
const COMPARED_BYTES = 1024 * 1024;
/** The limit of `.worktreeinclude`. */
const COPIED_BYTES = 512 * 1024 * 1024;

/**
 * Describes the work that would be lost with a worktree: uncommitted changes, and commits of its branch or detached
 * HEAD, and ignored files that exist only there. Commits on a remote or another branch are safe. The same applies to
 * its submodules. These do not count:
 * - files that have not changed since the worktree's setup
 * - files that are identical in the main work tree (`copiedFrom`)
 * - ignored files that a tool can regenerate
 * - commits that the worktree began with
 * - commits that were merged into one of `bases` by a squash or a rebase
 * @returns an empty list if nothing would be lost
 * @throws {GitError} if git cannot read it
 */
export async function unsavedWork(
  tree: OpenWorktree,
  {
    copiedFrom,
    bases,
    initial,
  }: { copiedFrom: string | null; bases: readonly string[]; initial: InitialState },
  signal?: AbortSignal,
): Promise<string[]> {
  const branch = await currentBranch(tree.git, tree.path);
  // Applies to the `--branches` that follows, which must not include the branch itself.
  const itself = branch === undefined ? [] : [`--exclude=${branch}`];
  // `--branches` includes the base branch. A base commit may be on no branch, so it is listed itself.
  const others = ["--not", ...bases.filter(isCommit), ...itself, "--branches", "--remotes"];
  return [
    ...(await uncommitted(tree, copiedFrom, initial, signal)),
    ...(await unmerged(tree, { others, bases, branch }, signal)),
    ...(await ignored(tree, copiedFrom, initial, signal)),
    ...(await inSubmodules(tree, copiedFrom, signal)),
  ];
}

async function uncommitted(
  tree: OpenWorktree,
  copiedFrom: string | null,
  initial: InitialState,
  signal?: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for (const { status, path: file } of await changesSince(tree, initial, signal)) {
    const isCopy =
      status === "??" &&
      copiedFrom !== null &&
      (await hasSameContent(join(tree.path, file), join(copiedFrom, file), COMPARED_BYTES));
    if (!isCopy) files.push(file);
  }
  return inUncommitted([...files, ...(await hiddenEdits(tree, signal))]);
}

const inUncommitted = (files: string[]): string[] =>
  files.length === 0 ? [] : [`${count(files.length, "uncommitted change")} (${listShort(files)})`];

/** Ignored files that no tool makes again, and of which neither Grove nor the main work tree has the content. */
async function ignored(
  tree: OpenWorktree,
  copiedFrom: string | null,
  initial: InitialState,
  signal?: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for await (const file of irreplaceableFiles(tree, signal)) {
    if (await isUnchangedSinceStart(tree, initial, file)) continue;
    const [here, there] = [join(tree.path, file), join(copiedFrom ?? tree.path, file)];
    const isCopy = copiedFrom !== null && (await hasSameContent(here, there, COPIED_BYTES));
    if (!isCopy) files.push(file);
    if (files.length > MAX_LISTED) break;
  }
  if (files.length === 0) return [];
  const [number, listed] =
    files.length > MAX_LISTED
      ? [`more than ${MAX_LISTED} ignored files`, `${files.slice(0, MAX_LISTED).join(", ")}, …`]
      : [count(files.length, "ignored file"), listShort(files)];
  return [`${number} that git does not keep (${listed})`];
}

/** Commits of the worktree itself that are lost with it, unless a base has their content. */
async function unmerged(
  tree: OpenWorktree,
  of: { others: string[]; bases: readonly string[]; branch: string | undefined },
  signal?: AbortSignal,
): Promise<string[]> {
  const found = await unpushed(tree, of.others, signal);
  const tip = found.length === 0 ? undefined : await currentCommit(tree.git, tree.path);
  if (tip === undefined) return found;
  const refs = await readRefs(tree.git, tree.path);
  const targets = mergeTargets(refs, of.bases).filter((target) => target !== `refs/heads/${of.branch}`);
  if (targets.length === 0) return found;
  if ((await findMerged(tree.git, tree.path, { tip, targets }, signal)) !== undefined) return [];
  return found.map((words) => `${words}, not even squashed or rebased (compared: ${inWords(targets)})`);
}

const inWords = (refs: string[]): string =>
  refs.map((ref) => ref.replace(/^refs\/(heads|remotes)\//, "")).join(", ");

async function unpushed(
  { git, path }: OpenWorktree,
  others: string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const head = await currentCommit(git, path);
  if (head === undefined) return [];
  const commits = Number(await git(["rev-list", "--count", head, ...others], { signal }));
  return commits > 0 ? [`${count(commits, "commit")} that no remote and no other branch has`] : [];
}

/** The repositories of a worktree's submodules are removed with it, so all their branches count. */
async function inSubmodules(
  worktree: OpenWorktree,
  copiedFrom: string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, tree } of submodulesOf(worktree, signal)) {
    const originalPath = copiedFrom === null ? null : join(copiedFrom, path);
    const unsavedEntries = tree
      ? [
          ...(await unpushed(tree, ["--branches", "--not", "--remotes"], signal)),
          ...inUncommitted(await hiddenEdits(tree, signal)),
          ...(await ignored(tree, originalPath, EMPTY_INITIAL_STATE, signal)),
        ]
      : ["a repository whose .git does not lead into this one's modules, so that git is not run in it,"];
    found.push(...unsavedEntries.map((words) => `${words} in the submodule ${path}`));
  }
  return found;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
