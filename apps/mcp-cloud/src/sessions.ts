import { type AgentSession, id } from "@grove/schemas";
import type { CloudContext } from "./cloud";

/** The input of the tools for one session. */
export const sessionId = id.describe("Agent session");

export const readSession = (context: CloudContext, given: string): Promise<AgentSession> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    client.agent.getSession.query({ organizationId, id: given }, { signal }),
  );
