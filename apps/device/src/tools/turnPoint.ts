import { timeoutSignal } from "@grove/signals";
import type { Log } from "../log";
import type { ToolDeps } from "./deps";
import { saveFiles } from "./makePoint";

/** A point takes 0.5 s for 20 000 files. */
const TURN_POINT_MS = 60_000;

/** Makes a restore point when an agent's turn begins or ends. The agent works on whether that succeeds or not. */
export async function makeTurnPoint(deps: ToolDeps, workspaceId: string, log: Log): Promise<void> {
  try {
    await saveFiles(deps, { workspaceId }, timeoutSignal(TURN_POINT_MS));
  } catch (error) {
    log.warn({ err: error, workspaceId }, "no restore point was made");
  }
}
