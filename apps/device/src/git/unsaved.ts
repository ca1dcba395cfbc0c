import { lstat, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isThere } from "../home";
import { currentBranch, currentCommit, isCommit } from "./refs";
import { answerOf, type Git } from "./run";

/** So many names are enough to decide by. */
const NAMED = 5;
/** Whoever copies larger files into worktrees has git ignore them. */
const COMPARED_BYTES = 1024 * 1024;

/**
 * What would be lost with a worktree, in words: changes that are not committed, and commits of its branch or detached
 * HEAD that no remote and no other branch has; the same of its submodules. Ignored files do not count, nor untracked
 * ones that `copiedFrom`, the main work tree, has just so, nor what the worktree began with.
 * @returns nothing where nothing would be lost
 * @throws {GitError} when git cannot read it
 */
export async function unsavedWork(
  git: Git,
  path: string,
  { copiedFrom, base }: { copiedFrom: string | null; base: string },
  signal?: AbortSignal,
): Promise<string[]> {
  const branch = await currentBranch(git, path);
  // Applies to the `--branches` that follows: the branch's own commits are what is asked about.
  const itself = branch === undefined ? [] : [`--exclude=${branch}`];
  // A branch is among the others; a commit may have been on none.
  const begunWith = isCommit(base) ? [base] : [];
  const others = ["--not", ...begunWith, ...itself, "--branches", "--remotes"];
  return [
    ...(await uncommitted(git, path, copiedFrom, signal)),
    ...(await unpushed(git, path, others, signal)),
    ...(await inSubmodules(git, path, signal)),
  ];
}

async function uncommitted(
  git: Git,
  path: string,
  copiedFrom: string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  // Said explicitly: the repository's configuration may hide both.
  const all = ["--untracked-files=normal", "--ignore-submodules=none"];
  const status = await git(["status", "--porcelain=v1", "-z", "--no-renames", ...all], { cwd: path, signal });
  const files: string[] = [];
  for (const entry of status.split("\0").filter((one) => one !== "")) {
    const file = entry.slice(3);
    const isCopy = entry.startsWith("?? ") && copiedFrom !== null && (await areSame(path, copiedFrom, file));
    if (!isCopy) files.push(file);
  }
  if (files.length === 0) return [];
  const named = files.slice(0, NAMED);
  const more = files.length > NAMED ? ", …" : "";
  return [`${count(files.length, "uncommitted change")} (${named.join(", ")}${more})`];
}

async function unpushed(git: Git, path: string, others: string[], signal?: AbortSignal): Promise<string[]> {
  const head = await currentCommit(git, path);
  if (head === undefined) return [];
  const commits = Number(await git(["rev-list", "--count", head, ...others], { cwd: path, signal }));
  return commits > 0 ? [`${count(commits, "commit")} that no remote and no other branch has`] : [];
}

/** Whether both directories have the same small file. */
async function areSame(one: string, other: string, file: string): Promise<boolean> {
  const paths = [join(one, file), join(other, file)] as const;
  const [a, b] = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size || a.size > COMPARED_BYTES) return false;
  return (await readFile(paths[0])).equals(await readFile(paths[1]));
}

/** The repositories of a worktree's submodules go with it, whatever branches they have. */
async function inSubmodules(git: Git, path: string, signal?: AbortSignal): Promise<string[]> {
  if (!(await isThere(join(path, ".gitmodules")))) return [];
  const paths = ["config", "--file", ".gitmodules", "-z", "--get-regexp", "^submodule\\..*\\.path$"];
  const listed = (await answerOf(git(paths, { cwd: path, signal }))) ?? "";
  const found: string[] = [];
  for (const entry of listed.split("\0").filter((line) => line !== "")) {
    const submodule = join(path, entry.slice(entry.indexOf("\n") + 1));
    const inside = !relative(path, submodule).startsWith("..");
    if (!inside || !(await isThere(join(submodule, ".git")))) continue;
    const lost = [
      ...(await unpushed(git, submodule, ["--branches", "--not", "--remotes"], signal)),
      ...(await inSubmodules(git, submodule, signal)),
    ];
    found.push(...lost.map((words) => `${words} in the submodule ${relative(path, submodule)}`));
  }
  return found;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
