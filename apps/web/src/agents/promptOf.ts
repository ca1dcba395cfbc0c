import { type AgentSession, deviceTools } from "@grove/schemas";
import { client } from "../app/api";
import { beganDuring } from "./beganDuring";

/** How many starts on the device this looks back. */
const LATEST = 200;

/**
 * The prompt with which a session was started; undefined if it is no longer kept, or if this person may not see it.
 * It is kept with the command that started the session.
 */
export async function promptOf(session: AgentSession, organizationId: string): Promise<string | undefined> {
  const { deviceId, startedBy } = session;
  const tools = ["start_agent_session"];
  const commands = await client.agent.listCommands.query({
    ...{ organizationId, deviceId, tools, limit: LATEST },
    ...(startedBy !== null && { requestedBy: startedBy }),
  });
  for (const { id } of commands.filter((command) => beganDuring(session, command))) {
    const { params, result } = await client.agent.getCommand.query({ organizationId, id });
    const started = deviceTools.start_agent_session.result.safeParse(result).data;
    if (started?.sessionId !== session.id) continue;
    return deviceTools.start_agent_session.params.safeParse(params).data?.prompt;
  }
  return undefined;
}
