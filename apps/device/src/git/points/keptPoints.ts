import { CommandFailure } from "../../errors";
import type { OpenWorktree } from "../worktree/openWorktree";
import { readPoints, seenOf, turnStartRef } from "./pointRefs";

/** Keeps a point as the files that a person has seen last, instead of the one before. */
export async function keepSeen(
  { git }: OpenWorktree,
  { workspaceId, person, point }: { workspaceId: string; person: string; point: string },
): Promise<void> {
  await git(["update-ref", "--no-deref", `${seenOf(workspaceId)}/${person}`, point]);
}

/** Keeps a point as the files before an agent's turn. Null if no point was made, so that an older turn is not shown. */
export async function keepTurnStart(
  { git }: OpenWorktree,
  { workspaceId, point }: { workspaceId: string; point: string | null },
): Promise<void> {
  const ref = turnStartRef(workspaceId);
  await git(["update-ref", "--no-deref", ...(point === null ? ["-d", ref] : [ref, point])]);
}

/**
 * The files before the running or last turn of an agent.
 * @throws {CommandFailure} `point_gone`
 */
export async function readTurnStart({ git, path }: OpenWorktree, workspaceId: string): Promise<string> {
  const [start] = await readPoints(git, path, turnStartRef(workspaceId));
  if (start) return start.commit;
  throw new CommandFailure(
    "point_gone",
    "No restore point was made before a turn of an agent in this workspace. Compare with base or head instead.",
  );
}
