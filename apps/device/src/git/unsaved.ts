import { join } from "node:path";
import { type Beginning, changesSince, isAsBegun, NO_BEGINNING } from "./beginning";
import { irreplaceableFiles } from "./ignored";
import type { OpenWorktree } from "./openWorktree";
import { currentBranch, currentCommit, isCommit } from "./refs";
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
 * the main work tree (`copiedFrom`), ignored files that a tool makes again, and commits that the worktree began with.
 * @returns an empty list if nothing would be lost
 * @throws {GitError} if git cannot read it
 */
export async function unsavedWork(
  tree: OpenWorktree,
  { copiedFrom, base, begun }: { copiedFrom: string | null; base: string; begun: Beginning },
  signal?: AbortSignal,
): Promise<string[]> {
  const branch = await currentBranch(tree.git, tree.path);
  // Applies to the `--branches` that follows, which must not include the branch itself.
  const itself = branch === undefined ? [] : [`--exclude=${branch}`];
  // A base branch is among the others; a base commit may have been on no branch.
  const begunWith = isCommit(base) ? [base] : [];
  const others = ["--not", ...begunWith, ...itself, "--branches", "--remotes"];
  return [
    ...(await uncommitted(tree, copiedFrom, begun, signal)),
    ...(await unpushed(tree, others, signal)),
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
  return files.length === 0 ? [] : [`${count(files.length, "uncommitted change")} (${named(files)})`];
}

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
          ...(await ignored(tree, from, NO_BEGINNING, signal)),
        ]
      : ["a repository whose .git does not lead into this one's modules, so that git is not run in it,"];
    found.push(...lost.map((words) => `${words} in the submodule ${path}`));
  }
  return found;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
