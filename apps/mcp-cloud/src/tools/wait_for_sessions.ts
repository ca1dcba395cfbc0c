import { defineTool } from "@grove/mcp";
import { id, MAX_AWAITED_SESSIONS, meetsWait, sessionWait } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { MAX_WAIT_MS, timeoutFor } from "../api/waits";
import { stateFields, stateOf } from "../shared/sessions";

const { waitingSource: _, ...state } = stateFields;

export const waitForSessions = defineTool({
  name: "wait_for_sessions",
  title: "Wait for agent sessions",
  description:
    "Waits until one of several agent sessions meets `until` or has ended, then shows all their states. Use it to follow them.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    sessionIds: z.array(id).min(1).max(MAX_AWAITED_SESSIONS).describe("Agent sessions"),
    until: sessionWait.describe("attention: it needs a person; turn: that, or its turn ended"),
    waitMs: z.number().int().min(0).max(MAX_WAIT_MS).default(MAX_WAIT_MS).describe("Longest wait"),
  }),
  output: z.strictObject({
    sessions: z.array(
      z.strictObject({
        sessionId: id,
        ...state,
        /** Whether the session meets `until`, or has ended. */
        isReached: z.boolean(),
      }),
    ),
  }),
  async run({ sessionIds: ids, until, waitMs }, context: ApiContext) {
    const sessions = await context.app.call(
      context,
      (client, { organizationId }, signal) =>
        client.agent.waitForSessions.query({ organizationId, ids, until, waitMs }, { signal }),
      { timeoutMs: timeoutFor(waitMs) },
    );
    return {
      sessions: sessions.map((session) => {
        const { waitingSource: _, ...state } = stateOf(session);
        return { sessionId: session.id, ...state, isReached: meetsWait(session, until) };
      }),
    };
  },
});
