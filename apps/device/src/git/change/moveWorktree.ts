import { CommandFailure } from "../../errors";
import { listShort } from "../../lib/listShort";
import { withCopiedIndex } from "../copiedIndex";
import { replaceFiles, requireFree, resetIndex } from "../points/restore";
import { treeOf } from "../points/writePoint";
import { whenUnlocked } from "../repositoryLocks";
import { hiddenEdits } from "../unsavedWork/hiddenEdits";
import type { OpenWorktree } from "../worktree/openWorktree";

/**
 * Moves a worktree without uncommitted work, and its branch, from one commit to another.
 * @throws {CommandFailure} `files_in_the_way`, with nothing changed
 */
export async function moveWorktree(
  worktree: OpenWorktree,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
  decided: () => Promise<void>,
): Promise<void> {
  const { git } = worktree;
  const trees = { from: await treeOf(git, from), to: await treeOf(git, to) };
  await requireFree(worktree, trees.from, trees.to);
  await requireUnmarked(worktree, trees, signal);
  await withCopiedIndex(worktree, async (indexFile) => {
    await decided();
    await replaceFiles(worktree, { ...trees, indexFile });
    await git(["update-ref", "-m", "grove: update from the base", "HEAD", to, from]);
    await whenUnlocked(() => resetIndex(worktree, to), signal);
  });
}

/** @throws {CommandFailure} `files_in_the_way` if an edit that `git status` does not show would be overwritten */
async function requireUnmarked(
  worktree: OpenWorktree,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<void> {
  const marked = await hiddenEdits(worktree, signal);
  if (marked.length === 0) return;
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to];
  const changed = new Set((await worktree.git(args, { signal })).split("\0"));
  const inTheWay = marked.filter((file) => changed.has(file));
  if (inTheWay.length === 0) return;
  throw new CommandFailure(
    "files_in_the_way",
    `Edits that git ignores, by "assume unchanged" or "skip worktree", would be overwritten: ${listShort(inTheWay)}. Save them elsewhere, then try again.`,
  );
}
