import { type AgentSession, agentSessionStatus, id, sessionOutputLimits } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "./apiSession";
import { screenOf, screenOnDevice } from "./screen";

/** The input of the tools for one session. */
export const sessionId = id.describe("Agent session");

export const readSession = (context: CloudContext, given: string): Promise<AgentSession> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    client.agent.getSession.query({ organizationId, id: given }, { signal }),
  );

/** How a session stands and what its terminal shows, as results tell it. */
export const shownFields = {
  status: z.enum([...agentSessionStatus.options, "waiting_for_input"]),
  /** As the terminal shows it. */
  output: z.string(),
  /** Whether there was more before it. */
  truncated: z.boolean(),
};

interface Look {
  /** Characters of output, at most. */
  length: number;
  /** How long the session is waited for until it waits for input or has ended. */
  waitMs?: number;
  /** How long the program is given to draw what it draws now. */
  settleMs?: number;
}

/** A session that runs: as long as reading it and its screen may take. */
const LOOK_MS = 10_000;

/** A session, and what its terminal shows. */
export async function lookAt(
  context: CloudContext,
  given: string,
  { length, waitMs = 0, settleMs = 0 }: Look,
): Promise<{ session: AgentSession } & z.infer<z.ZodObject<typeof shownFields>>> {
  return context.app.call(
    context,
    async (client, { organizationId }, signal) => {
      const key = { organizationId, id: given };
      const before = await client.agent.getSession.query({ ...key, waitMs }, { signal });
      const size = { length, settleMs };
      const shown =
        before.status === "running" &&
        (await screenOnDevice(context, client, organizationId, before, size, signal));
      // It may have ended while its program drew.
      const session = settleMs > 0 ? await client.agent.getSession.query(key, { signal }) : before;
      // More than is answered: it is what a program has drawn, and drawn again.
      const kept = { ...key, length: sessionOutputLimits.chunkLength };
      const { output, truncated } =
        shown || (await screenOf(await client.agent.sessionTail.query(kept, { signal }), length));
      const status = session.waitingForInput ? ("waiting_for_input" as const) : session.status;
      return { session, status, output, truncated };
    },
    { timeoutMs: waitMs + settleMs + LOOK_MS },
  );
}
