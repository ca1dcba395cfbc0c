import { type AgentSession, deviceTools } from "@grove/schemas";
import { client } from "../lib/api";

/** The number of start commands on the device to list. */
const MAX_LISTED = 200;
/** The number of those commands, before the session's start, to read. */
const MAX_READ = 10;

/**
 * Finds the prompt of a session, which is stored with the command that started it. Returns undefined if the command was
 * deleted or the user may not read it.
 */
export async function findPrompt(session: AgentSession, organizationId: string): Promise<string | undefined> {
  const { deviceId, startedBy } = session;
  const tools = ["start_agent_session"];
  const commands = await client.agent.listCommands.query({
    organizationId,
    deviceId,
    tools,
    limit: MAX_LISTED,
    ...(startedBy !== null && { requestedBy: startedBy }),
  });
  // Newest first. A session's start may be reported after the end of the command that started it.
  const earlierCommands = commands.filter(
    ({ createdAt }) => Date.parse(createdAt) <= Date.parse(session.startedAt),
  );
  for (const { id } of earlierCommands.slice(0, MAX_READ)) {
    const { params, result } = await client.agent.getCommand.query({ organizationId, id });
    const startResult = deviceTools.start_agent_session.result.safeParse(result).data;
    if (startResult?.sessionId !== session.id) continue;
    return deviceTools.start_agent_session.params.safeParse(params).data?.prompt;
  }
  return undefined;
}
