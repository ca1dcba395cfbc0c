import { type AgentSession, deviceTools } from "@grove/schemas";
import { client } from "../lib/api";

/** How many of a person's starts on the device are listed, and how many of those before the session are looked at. */
const LATEST = 200;
const LOOKED_AT = 10;

/**
 * The prompt with which a session was started; undefined if it is no longer kept, or if this person may not see it.
 * It is kept with the command that started the session.
 */
export async function findPrompt(session: AgentSession, organizationId: string): Promise<string | undefined> {
  const { deviceId, startedBy } = session;
  const tools = ["start_agent_session"];
  const commands = await client.agent.listCommands.query({
    ...{ organizationId, deviceId, tools, limit: LATEST },
    ...(startedBy !== null && { requestedBy: startedBy }),
  });
  // The newest is first. The machine may have told of its end before it told of the session.
  const before = commands.filter(({ createdAt }) => Date.parse(createdAt) <= Date.parse(session.startedAt));
  for (const { id } of before.slice(0, LOOKED_AT)) {
    const { params, result } = await client.agent.getCommand.query({ organizationId, id });
    const started = deviceTools.start_agent_session.result.safeParse(result).data;
    if (started?.sessionId !== session.id) continue;
    return deviceTools.start_agent_session.params.safeParse(params).data?.prompt;
  }
  return undefined;
}
