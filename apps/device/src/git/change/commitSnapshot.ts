import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { DETECT_RENAMES } from "../diff/changes";
import { resetIndex } from "../points/restore";
import type { Snapshot } from "../points/snapshot";
import { currentCommit } from "../refs";
import { whenUnlocked } from "../repositoryLocks";
import { GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";
import { type Hooks, runHook } from "./hooks";
import { cleanMessage, writeUserCommit } from "./userCommit";

/** The hooks that a commit runs. */
export const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
/** The variable by which the hooks of a commit are found after a crash; its value is the worktree's path. */
export const COMMITTED_WORKTREE = "GROVE_COMMITTED_WORKTREE";

interface Contents {
  snapshot: Snapshot;
  hooks: Hooks;
  /** The commit that is checked out, which the branch must still be at. */
  head: string | undefined;
  message: string;
}

interface Caller {
  signal: AbortSignal;
  progress(line: string): void;
  /** Called when the commit is stored, before the branch moves to it. */
  stored(commit: string): Promise<void>;
}

/**
 * Commits a snapshot to the branch that is checked out. The index stays as it is until the branch has moved.
 * @throws {CommandFailure} `hook_failed`, `identity_missing`, `signing_failed`, `head_moved`, with nothing committed
 */
export async function commitSnapshot(
  worktree: OpenWorktree,
  { snapshot: { indexFile }, hooks, head, message }: Contents,
  { signal, progress, stored }: Caller,
): Promise<{ commit: string; files: number }> {
  const { git, path, gitDir } = worktree;
  // Like `git commit -m`, disables the editor, so that no hook waits for one.
  const run = { indexFile, mark: { [COMMITTED_WORKTREE]: path, GIT_EDITOR: ":" }, signal, progress };
  const messageFile = join(gitDir, "COMMIT_EDITMSG");
  await runHook(worktree, hooks, ["pre-commit"], run);
  await writeFile(messageFile, await cleanMessage(worktree, message));
  await runHook(worktree, hooks, ["prepare-commit-msg", messageFile, "message"], run);
  await runHook(worktree, hooks, ["commit-msg", messageFile], run);
  const final = await cleanMessage(worktree, await readFile(messageFile, "utf8"));
  if (final === "") throw new CommandFailure("hook_failed", "A hook has removed the commit's message.");
  // The hooks may have changed the files that are committed.
  const tree = (await git(["write-tree"], { indexFile, signal })).trim();
  const parents = head === undefined ? [] : [head];
  const commit = await writeUserCommit(worktree, { tree, parents, message: final }, signal);
  await stored(commit);
  await moveBranch(worktree, { commit, head, subject: final.split("\n")[0] ?? "" });
  await alignIndex(worktree, commit, signal);
  // Its failure changes nothing: the commit is made.
  await runHook(worktree, hooks, ["post-commit"], run).catch((error: unknown) => progress(messageOf(error)));
  const args = [
    "diff-tree",
    "-r",
    "--root",
    "--name-only",
    "--no-commit-id",
    "-z",
    ...DETECT_RENAMES,
    commit,
  ];
  const changed = await git(args);
  return { commit, files: changed.split("\0").length - 1 };
}

/** @throws {CommandFailure} `head_moved` if someone has committed in the meantime */
async function moveBranch(
  { git, path }: OpenWorktree,
  { commit, head, subject }: { commit: string; head: string | undefined; subject: string },
): Promise<void> {
  try {
    const old = head ?? "0".repeat(commit.length);
    await git(["update-ref", "-m", `commit: ${subject}`, "HEAD", commit, old]);
  } catch (error) {
    if (!(error instanceof GitError) || (await currentCommit(git, path)) === head) throw error;
    throw new CommandFailure(
      "head_moved",
      "Someone has committed in the workspace in the meantime, so nothing was committed. Check the changes, then try again.",
    );
  }
}

/** Gives the index the files of a new commit, unless another one was made since. */
export async function alignIndex(worktree: OpenWorktree, commit: string, signal: AbortSignal): Promise<void> {
  if ((await currentCommit(worktree.git, worktree.path)) !== commit) return;
  await whenUnlocked(() => resetIndex(worktree, commit), signal);
}
