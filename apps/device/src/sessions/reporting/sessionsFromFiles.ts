import type { Home } from "../../home/home";
import { endProcesses, notEnded, sessionProcesses } from "../process/processes";
import type { Sessions } from "../sessions";
import { readRecords } from "./sessionFiles";

/**
 * The agent sessions on this machine, for a process other than the device agent. It finds them by the agent's records
 * and their processes. The device agent notices and reports their ends.
 */
export async function recordedSessions(home: Home): Promise<Pick<Sessions, "runningIn" | "stopIn">> {
  const running: { id: string; workspaceId: string }[] = [];
  for (const { id, workspaceId, end } of await readRecords(home))
    if (!end && (await sessionProcesses({ sessionId: id })).length > 0) running.push({ id, workspaceId });
  const runningIn = (workspaceId: string) =>
    running.flatMap((session) => (session.workspaceId === workspaceId ? [session.id] : []));
  return {
    runningIn,
    async stopIn(workspaceId) {
      for (const sessionId of runningIn(workspaceId))
        if (!(await endProcesses({ sessionId }))) throw notEnded(sessionId);
    },
  };
}
