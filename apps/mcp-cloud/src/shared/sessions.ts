import {
  type AgentSession,
  activitySource,
  activityState,
  agentSessionStatus,
  id,
  meetsWait,
  sessionOutputLimits,
  timestamp,
} from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { screenOf, screenOnDevice } from "./screen";

/** The input of tools that work on one session. */
export const sessionId = id.describe("Agent session");

export const readSession = (context: ApiContext, given: string): Promise<AgentSession> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    client.agent.getSession.query({ organizationId, id: given }, { signal }),
  );

/** A session's state, as results show it. */
export const stateFields = {
  status: z.enum([...agentSessionStatus.options, "waiting_for_input"]),
  waitingSource: z.enum(["screen"]).optional(),
  /** The activity of a running session's agent. */
  state: z.enum([...activityState.options, "waiting"]).optional(),
  since: timestamp.optional(),
  /** `screen`: a guess. */
  source: activitySource.optional(),
  limitedUntil: timestamp.optional(),
};

/** A session's state and terminal, as results show them. */
export const shownFields = {
  ...stateFields,
  /** The terminal's text. */
  output: z.string(),
  /** Whether earlier output was left out. */
  truncated: z.boolean(),
  /** The number of that screen; left out if its device cannot be queried. */
  screen: z.number().int().optional(),
};

/** The state that the agent reports; without a report, a guess from whether its terminal waits. */
export function stateOf(session: AgentSession): z.infer<z.ZodObject<typeof stateFields>> {
  const { status, activity, waitingForInput } = session;
  if (status !== "running") return { status };
  const isWaiting = meetsWait(session, "turn");
  const isGuess = !activity || activity.source === "screen";
  return {
    status: isWaiting ? "waiting_for_input" : status,
    ...(isWaiting && isGuess && { waitingSource: "screen" }),
    state: activity?.state ?? (waitingForInput ? "waiting" : "working"),
    ...(activity && { since: activity.since }),
    source: activity?.source ?? "screen",
    ...(activity?.limitedUntil && { limitedUntil: activity.limitedUntil }),
  };
}

interface ScreenRequest {
  /** The maximum number of characters of output. */
  length: number;
  /** The number of characters at the end to leave out. */
  offset?: number;
  /** The longest wait until the session needs input or has ended. */
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
  { length, offset = 0, waitMs = 0, settleMs = 0 }: ScreenRequest,
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
      // More than the response holds, because programs redraw the same part of the screen repeatedly.
      const outputRequest = { ...key, length: sessionOutputLimits.chunkLength };
      const { output, truncated, screen } =
        shown || (await screenOf(await client.agent.sessionTail.query(outputRequest, { signal }), size));
      return { session, ...stateOf(session), output, truncated, ...(screen !== undefined && { screen }) };
    },
    { timeoutMs: waitMs + settleMs + READ_MS },
  );
}
