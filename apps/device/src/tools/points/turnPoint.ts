import { timeoutSignal } from "@grove/signals";
import { keepTurnStart } from "../../git/points/keptPoints";
import { findWorkspace } from "../../home/workspaces";
import type { Log } from "../../log";
import type { TurnMoment } from "../../sessions/activity/agentActivity";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { makeRestorePoint } from "./makePoint";

/** A point takes 0.5 s for 20 000 files. */
const TURN_POINT_MS = 60_000;

/** Makes a restore point when an agent's turn begins or ends. The agent works on whether that succeeds or not. */
export async function makeTurnPoint(
  deps: ToolDeps,
  workspaceId: string,
  moment: TurnMoment,
  log: Log,
): Promise<void> {
  const signal = timeoutSignal(TURN_POINT_MS);
  let point: string | null = null;
  try {
    point = (await makeRestorePoint(deps, { workspaceId }, signal)).point;
  } catch (error) {
    log.warn({ err: error, workspaceId }, "no restore point was made");
  }
  if (moment === "end") return;
  try {
    const worktree = await openWorkspace(deps, await findWorkspace(deps, workspaceId));
    await keepTurnStart(worktree, { workspaceId, point });
  } catch (error) {
    log.warn({ err: error, workspaceId }, "the start of a turn was not recorded");
  }
}
