import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { whenUnlocked } from "../../git/repositoryLocks";
import { removeFiles, removeWorktree, trashName } from "../../git/worktree/removeWorktree";
import { ADDED_WORKTREE, addDetachedWorktree } from "../../git/worktree/worktree";
import { endInheritors } from "../../sessions/process/processes";
import type { RecoveryContext, ToolContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";
import { PATH_VARIABLE } from "../projects/scriptEnvironment";

/** The note in the journal before a gate's worktree is made. */
const gateWorktreeNote = z.object({
  gateWorktree: z.object({ repository: z.string(), path: z.string(), trash: z.string() }),
});
type GateWorktree = z.infer<typeof gateWorktreeNote>["gateWorktree"];

/**
 * Checks a commit out in a worktree that exists only for `work`. It is on no branch, and is not a workspace.
 * @param work gets the worktree's path
 */
export async function withGateWorktree<T>(
  deps: WorkspaceDeps,
  { repository, commit }: { repository: string; commit: string },
  { signal, progress, note, log }: ToolContext,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { git, locks, home } = deps;
  const id = randomUUID();
  const path = join(home.gatesDir, id);
  const gateWorktree = { repository, path, trash: join(home.worktreesDir, trashName(id)) };
  await note({ gateWorktree });
  try {
    progress("Checking the files out");
    const add = () => addDetachedWorktree(git, { repository, path, commit }, signal, progress);
    await locks.run(repository, () => whenUnlocked(add, signal), signal);
    return await work(path);
  } finally {
    await remove(deps, gateWorktree, log);
  }
}

/** Removes the worktrees of a gate that was cut off. */
export async function recoverGateWorktrees(
  deps: WorkspaceDeps,
  notes: readonly unknown[],
  { log }: RecoveryContext,
): Promise<string> {
  for (const noted of notes) {
    const { data } = gateWorktreeNote.safeParse(noted);
    if (data) await remove(deps, data.gateWorktree, log);
  }
  return "The check script did not end. Its worktree has been removed.";
}

async function remove(
  { git, locks }: WorkspaceDeps,
  worktree: GateWorktree,
  log: ToolContext["log"],
): Promise<void> {
  const { repository, path, trash } = worktree;
  // Git may have outlived the agent, and a gate may leave servers running.
  for (const variable of [ADDED_WORKTREE, PATH_VARIABLE]) await endInheritors(`${variable}=${path}`);
  await locks.run(repository, () => removeWorktree(git, worktree));
  const left = await removeFiles(trash);
  if (left !== undefined) log.warn({ trash }, left);
}
