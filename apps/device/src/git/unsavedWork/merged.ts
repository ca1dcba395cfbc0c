import { timeoutSignal } from "@grove/signals";
import type { Refs } from "../refs";
import { answerOf, exitsWithZero, type Git, GitError } from "../run";

/** The time limit for comparing contents. A branch whose comparison takes longer counts as not merged. */
const COMPARE_MS = 30_000;

/** Commits that may have been merged by a squash or a rebase. */
export interface Work {
  /** The last commit of the work, or the full name of its branch. */
  tip: string;
  /** Full names of the branches into which the branch may have been merged. */
  targets: readonly string[];
}

/** The branches, by full name, into which work is merged: these bases, here or at a remote, and origin's default. */
export function mergeTargets(refs: Refs, bases: readonly string[]): string[] {
  const names = bases.flatMap((base) =>
    ["refs/remotes/origin/", "refs/heads/", "refs/remotes/"].map((place) => `${place}${base}`),
  );
  return [...new Set(["refs/remotes/origin/HEAD", ...names])].filter((name) => refs.has(name));
}

/**
 * Finds the branch that has some commits, or their content after a squash or a rebase. Only a certain answer counts:
 * the branch has each commit as a patch, or all of them as one patch, or a merge would change nothing. Commits without
 * a net change are never found.
 * @returns the branch's full name
 */
export async function findMerged(
  git: Git,
  cwd: string,
  { tip, targets }: Work,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const inTime = AbortSignal.any([timeoutSignal(COMPARE_MS), ...(signal ? [signal] : [])]);
  const run: Git = (args, options) => git(args, { cwd, signal: inTime, ...options });
  try {
    const commit = (await run(["rev-parse", "--verify", `${tip}^{commit}`])).trim();
    for (const target of targets) if (await isContained(run, commit, target)) return target;
  } catch (error) {
    signal?.throwIfAborted();
    if (!inTime.aborted && !(error instanceof GitError)) throw error;
  }
  return undefined;
}

async function isContained(git: Git, tip: string, target: string): Promise<boolean> {
  const base = await answerOf(git(["merge-base", target, tip]));
  if (base === undefined || base === tip) return base === tip;
  // `git cherry` leaves out merges, whose own changes would be lost.
  const merges = await git(["rev-list", "--count", "--min-parents=2", `${target}..${tip}`]);
  if (Number(merges) === 0 && (await hasPatches(git, target, tip))) return true;
  if (await exitsWithZero(git(["diff", "--quiet", "--no-ext-diff", "--no-textconv", base, tip, "--"])))
    return false;
  return (
    (await hasPatches(git, target, await squash(git, base, tip))) || (await changesNothing(git, target, tip))
  );
}

/** Whether a branch has a commit with the same patch for each commit that it lacks. */
async function hasPatches(git: Git, target: string, tip: string): Promise<boolean> {
  const listed = await git(["cherry", target, tip]);
  // "- <id>": the branch has the patch. "+ <id>": it does not.
  return listed !== "" && !/^\+/m.test(listed);
}

/** Makes a commit with all changes from one commit to another. Nothing refers to it, so git removes it in time. */
async function squash(git: Git, base: string, tip: string): Promise<string> {
  const identity = [
    "-c",
    "user.name=Grove",
    "-c",
    "user.email=grove@localhost",
    "-c",
    "commit.gpgSign=false",
  ];
  return (await git([...identity, "commit-tree", `${tip}^{tree}`, "-p", base, "-m", "squashed"])).trim();
}

/** Whether a merge would change nothing in a branch. git before 2.38 cannot merge without a work tree. */
async function changesNothing(git: Git, target: string, tip: string): Promise<boolean> {
  const merged = await git(["merge-tree", "--write-tree", target, tip]).catch((error) => {
    if (error instanceof GitError) return undefined;
    throw error;
  });
  if (merged === undefined) return false;
  return merged.trim() === (await git(["rev-parse", "--verify", `${target}^{tree}`])).trim();
}
