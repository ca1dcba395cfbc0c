import { type AgentSession, agentSessionStatus, id, sessionOutputLimits } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "./apiSession";
import { screenOf, screenOnDevice } from "./screen";

/** The input of tools that work on one session. */
export const sessionId = id.describe("Agent session");

export const readSession = (context: ApiContext, given: string): Promise<AgentSession> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    client.agent.getSession.query({ organizationId, id: given }, { signal }),
  );

/** A session's status and terminal, as results show them. */
export const shownFields = {
  status: z.enum([...agentSessionStatus.options, "waiting_for_input"]),
  waitingSource: z.enum(["screen"]).optional().describe("screen: guessed from its silence"),
  /** The terminal's text. */
  output: z.string(),
  /** Whether more came before it. */
  truncated: z.boolean(),
  /** The number of that screen; left out if its device cannot be asked. */
  screen: z.number().int().optional(),
};

interface Look {
  /** The maximum number of characters of output. */
  length: number;
  /** The number of characters at the end to leave out. */
  offset?: number;
  /** How long to wait until the session waits for input or has ended. */
  waitMs?: number;
  /** How long to wait until the program has drawn. */
  settleMs?: number;
}

/** Timeout for reading a running session and its screen. */
const READ_MS = 10_000;

/** A session and its terminal. */
export async function readSessionScreen(
  context: ApiContext,
  given: string,
  { length, offset = 0, waitMs = 0, settleMs = 0 }: Look,
): Promise<{ session: AgentSession } & z.infer<z.ZodObject<typeof shownFields>>> {
  return context.app.call(
    context,
    async (client, { organizationId }, signal) => {
      const key = { organizationId, id: given };
      const before = await client.agent.getSession.query({ ...key, waitMs }, { signal });
      const size = { length, offset, settleMs };
      const shown =
        before.status === "running" &&
        (await screenOnDevice(context, client, organizationId, before, size, signal));
      // The session may have ended while its program drew.
      const session = settleMs > 0 ? await client.agent.getSession.query(key, { signal }) : before;
      // More than the answer holds: programs draw the same place again and again.
      const kept = { ...key, length: sessionOutputLimits.chunkLength };
      const { output, truncated, screen } =
        shown || (await screenOf(await client.agent.sessionTail.query(kept, { signal }), size));
      const status = session.waitingForInput ? ("waiting_for_input" as const) : session.status;
      const source = session.waitingForInput ? { waitingSource: "screen" as const } : {};
      return { session, status, ...source, output, truncated, ...(screen !== undefined && { screen }) };
    },
    { timeoutMs: waitMs + settleMs + READ_MS },
  );
}
