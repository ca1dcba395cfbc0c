import { join } from "node:path";
import { type Beginning, changesSince, isAsBegun, NO_BEGINNING } from "./beginning";
import { hiddenEdits } from "./hiddenEdits";
import { irreplaceableFiles } from "./ignored";
import { findMerged, mergeTargets } from "./merged";
import type { OpenWorktree } from "./openWorktree";
import { currentBranch, currentCommit, isCommit, readRefs } from "./refs";
import { isSameFile } from "./sameFile";
import { submodulesOf } from "./submodules";

/** How many changed files are named. */
const NAMED = 5;
/** Larger untracked files are not compared; people who copy such files into worktrees usually have git ignore them. */
const COMPARED_BYTES = 1024 * 1024;
/** As many as `.worktreeinclude` may copy. */
const COPIED_BYTES = 512 * 1024 * 1024;

/**
 * Describes the work that would be lost with a worktree: uncommitted changes, and commits of its branch or detached
 * HEAD, and ignored files that exist only there. Commits on a remote or another branch are safe. The same applies to
 * its submodules. Not counted are files that are as they were when the worktree was new, files that are identical in
 * the main work tree (`copiedFrom`), ignored files that a tool makes again, commits that the worktree began with, and
 * commits that were merged into one of `bases` by a squash or a rebase.
 * @returns an empty list if nothing would be lost
 * @throws {GitError} if git cannot read it
 */
export async function unsavedWork(
  tree: OpenWorktree,
  { copiedFrom, bases, begun }: { copiedFrom: string | null; bases: readonly string[]; begun: Beginning },
  signal?: AbortSignal,
): Promise<string[]> {
  const branch = await currentBranch(tree.git, tree.path);
  // Applies to the `--branches` that follows, which must not include the branch itself.
  const itself = branch === undefined ? [] : [`--exclude=${branch}`];
  // A base branch is among the others; a base commit may have been on no branch.
  const others = ["--not", ...bases.filter(isCommit), ...itself, "--branches", "--remotes"];
  return [
    ...(await uncommitted(tree, copiedFrom, begun, signal)),
    ...(await unmerged(tree, { others, bases, branch }, signal)),
    ...(await ignored(tree, copiedFrom, begun, signal)),
    ...(await inSubmodules(tree, copiedFrom, signal)),
  ];
}

async function uncommitted(
  tree: OpenWorktree,
  copiedFrom: string | null,
  begun: Beginning,
  signal?: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for (const { status, path: file } of await changesSince(tree, begun, signal)) {
    const isCopy =
      status === "??" &&
      copiedFrom !== null &&
      (await isSameFile(join(tree.path, file), join(copiedFrom, file), COMPARED_BYTES));
    if (!isCopy) files.push(file);
  }
  return inUncommitted([...files, ...(await hiddenEdits(tree, signal))]);
}

const inUncommitted = (files: string[]): string[] =>
  files.length === 0 ? [] : [`${count(files.length, "uncommitted change")} (${named(files)})`];

/** Ignored files that no tool makes again, and of which neither Grove nor the main work tree has the content. */
async function ignored(
  tree: OpenWorktree,
  copiedFrom: string | null,
  begun: Beginning,
  signal?: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for await (const file of irreplaceableFiles(tree, signal)) {
    if (await isAsBegun(tree, begun, file)) continue;
    const [here, there] = [join(tree.path, file), join(copiedFrom ?? tree.path, file)];
    const isCopy = copiedFrom !== null && (await isSameFile(here, there, COPIED_BYTES));
    if (!isCopy) files.push(file);
    if (files.length > NAMED) break;
  }
  if (files.length === 0) return [];
  const number =
    files.length > NAMED ? `more than ${NAMED} ignored files` : count(files.length, "ignored file");
  return [`${number} that git does not keep (${named(files)})`];
}

const named = (files: string[]): string =>
  `${files.slice(0, NAMED).join(", ")}${files.length > NAMED ? ", …" : ""}`;

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
    const from = copiedFrom === null ? null : join(copiedFrom, path);
    const lost = tree
      ? [
          ...(await unpushed(tree, ["--branches", "--not", "--remotes"], signal)),
          ...inUncommitted(await hiddenEdits(tree, signal)),
          ...(await ignored(tree, from, NO_BEGINNING, signal)),
        ]
      : ["a repository whose .git does not lead into this one's modules, so that git is not run in it,"];
    found.push(...lost.map((words) => `${words} in the submodule ${path}`));
  }
  return found;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
