import { CommandFailure } from "../../errors";
import type { LocalWorkspace } from "../../home/store";
import type { ToolDeps } from "../deps";

/** @throws {CommandFailure} `agent_working` */
export function requireIdle({ sessions }: ToolDeps, { id, name }: LocalWorkspace): void {
  const working = sessions.registry
    .running()
    .filter(({ workspaceId, waitingForInput }) => workspaceId === id && !waitingForInput);
  if (working.length === 0) return;
  throw new CommandFailure(
    "agent_working",
    `An agent works in workspace "${name}" (session ${working.map((session) => session.id).join(", ")}). Wait until its turn ends, or stop the session, in the console or with stop_agent_session.`,
  );
}
