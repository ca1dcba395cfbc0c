import { CommandFailure } from "../../errors";
import { readOperation } from "../../git/operation";
import { currentBranch, currentCommit } from "../../git/refs";
import { readStatus } from "../../git/status";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { listShort } from "../../lib/listShort";

/** @throws {CommandFailure} `in_the_middle` */
export async function requireNoOperation({ gitDir, path }: OpenWorktree): Promise<void> {
  const operation = await readOperation(gitDir);
  if (operation === undefined) return;
  throw new CommandFailure(
    "in_the_middle",
    `A ${operation.kind} is in progress in ${path}. Finish or abort it first.`,
  );
}

/** The branch that is checked out. @throws {CommandFailure} `branch_not_own` with a detached HEAD */
export async function requireBranch({ git, path }: OpenWorktree): Promise<string> {
  const branch = await currentBranch(git, path);
  if (branch !== undefined) return branch;
  throw new CommandFailure(
    "branch_not_own",
    "No branch is checked out in the workspace. Check its branch out, then try again.",
  );
}

/** @throws {CommandFailure} `head_moved` */
export async function requireHead({ git, path }: OpenWorktree, expected: string): Promise<void> {
  const head = await currentCommit(git, path);
  if (head !== expected) throw headMoved("The workspace", head, expected);
}

export const headMoved = (what: string, actual: string | undefined, expected: string): CommandFailure =>
  new CommandFailure(
    "head_moved",
    `${what} is at ${actual ?? "no commit"}, not at ${expected}. Check what has changed, then try again.`,
  );

/** @throws {CommandFailure} `uncommitted_work` */
export async function requireClean(tree: OpenWorktree, signal: AbortSignal): Promise<void> {
  const changes = await readStatus(tree, signal);
  if (changes.length === 0) return;
  throw new CommandFailure(
    "uncommitted_work",
    `The workspace has uncommitted work: ${listShort(changes.map(({ path }) => path))}. Commit it first.`,
  );
}
