import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenWorktree } from "./openWorktree";
import { currentBranch, currentCommit, isCommit } from "./refs";
import { readStatus } from "./status";
import { submodulesOf } from "./submodules";

/** How many changed files are named. */
const NAMED = 5;
/** Larger files are not compared; people who copy such files into worktrees usually have git ignore them. */
const COMPARED_BYTES = 1024 * 1024;

/**
 * Describes the work that would be lost with a worktree: uncommitted changes, and commits of its branch or detached
 * HEAD. Commits on a remote or another branch are safe. The same applies to its submodules. Not counted are ignored
 * files, untracked files that are identical in the main work tree (`copiedFrom`), and commits that the worktree began
 * with.
 * @returns an empty list if nothing would be lost
 * @throws {GitError} if git cannot read it
 */
export async function unsavedWork(
  tree: OpenWorktree,
  { copiedFrom, base }: { copiedFrom: string | null; base: string },
  signal?: AbortSignal,
): Promise<string[]> {
  const branch = await currentBranch(tree.git, tree.path);
  // Applies to the `--branches` that follows, which must not include the branch itself.
  const itself = branch === undefined ? [] : [`--exclude=${branch}`];
  // A base branch is among the others; a base commit may have been on no branch.
  const begunWith = isCommit(base) ? [base] : [];
  const others = ["--not", ...begunWith, ...itself, "--branches", "--remotes"];
  return [
    ...(await uncommitted(tree, copiedFrom, signal)),
    ...(await unpushed(tree, others, signal)),
    ...(await inSubmodules(tree, signal)),
  ];
}

async function uncommitted(
  tree: OpenWorktree,
  copiedFrom: string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for (const { status, path: file } of await readStatus(tree, signal)) {
    const isCopy = status === "??" && copiedFrom !== null && (await areSame(tree.path, copiedFrom, file));
    if (!isCopy) files.push(file);
  }
  if (files.length === 0) return [];
  const named = files.slice(0, NAMED);
  const more = files.length > NAMED ? ", …" : "";
  return [`${count(files.length, "uncommitted change")} (${named.join(", ")}${more})`];
}

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

/** Whether both directories have the same small file. */
async function areSame(one: string, other: string, file: string): Promise<boolean> {
  const paths = [join(one, file), join(other, file)] as const;
  const [a, b] = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size || a.size > COMPARED_BYTES) return false;
  return (await readFile(paths[0])).equals(await readFile(paths[1]));
}

/** The repositories of a worktree's submodules are removed with it, so all their branches count. */
async function inSubmodules(worktree: OpenWorktree, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, tree } of submodulesOf(worktree, signal)) {
    const lost = tree
      ? await unpushed(tree, ["--branches", "--not", "--remotes"], signal)
      : ["a repository whose .git does not lead into this one's modules, so that git is not run in it,"];
    found.push(...lost.map((words) => `${words} in the submodule ${path}`));
  }
  return found;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
