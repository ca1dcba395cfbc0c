import { type Database, newId } from "@grove/db";
import {
  type ChatEvent,
  type ChatMessage,
  chatEvent,
  chatListMessagesInput,
  chatMessage,
  chatOnMessageInput,
  chatSendMessageInput,
  MAX_TERMINAL_INPUT,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { controlSession } from "../../agentSessions/control";
import type { SessionOnDevice } from "../../agentSessions/row";
import { recordEvent } from "../../events/record";
import { watchEvents } from "../../events/watch";
import { newestFirst } from "../../lib/pagination";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { chatTopic } from "../events";
import { chatSessionNotFound, readChatSession, toChatMessage } from "../row";

export const messageProcedures = {
  /**
   * Adds a message of the caller to a session. If the session is tied to an agent, the message is first typed to that
   * agent, as by agent.sendInput and with its errors; it has at most 9 999 characters. So every message in such a
   * session has reached the agent.
   * PRECONDITION_FAILED `quota_exceeded`.
   */
  sendMessage: waitingMemberProcedure(chatSendMessageInput)
    .output(output(chatMessage))
    .mutation(async ({ ctx, input: { organizationId, sessionId, text }, signal }) => {
      const { db } = ctx.services.database;
      const session = await readChatSession(db, organizationId, sessionId);
      if (session.agent_session_id !== null) toAgent.parse({ text });
      // Counted before the text is typed to the agent, since that cannot be undone.
      await ctx.services.quotas.take(db, "chatMessages", organizationId);
      await ctx.services.quotas.take(db, "chatBytes", organizationId, Buffer.byteLength(text));
      if (session.agent_session_id !== null) {
        // A terminal's Enter is a carriage return.
        const agent = {
          organizationId,
          id: session.agent_session_id,
          tool: "send_agent_input" as const,
          // The agent may have asked something else by the time when this reaches its device.
          params: ({ screen }: SessionOnDevice) => ({
            text: `${text}\r`,
            ...(screen !== null && { screen }),
          }),
        };
        await controlSession(ctx.services, ctx.principal, agent, signal);
      }
      const authorId = ctx.principal.user.id;
      // A waiting call needs a turn for the part that does not wait.
      return ctx.services.callers.inTurn(ctx.facts.caller ?? "", 0, () =>
        addMessage(db, { organizationId, sessionId, text, authorId }),
      );
    }),

  /**
   * A session's messages, newest first. A page ends early at 4 MiB: only a page shorter than both `limit` and 16 is the
   * last.
   */
  listMessages: memberProcedure(chatListMessagesInput)
    .output(output(z.array(chatMessage)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      await readChatSession(db, input.organizationId, input.sessionId);
      const query = db
        .selectFrom("chat_messages")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .where("session_id", "=", input.sessionId);
      return (await newestFirst(db, "chat_messages", query, input)).map(toChatMessage);
    }),

  /**
   * Streams new messages of a session, resumable: those after `lastEventId`, then `ready`, then each message as it is
   * sent. When the session is deleted, `deleted` comes and the stream ends.
   */
  onMessage: memberProcedure(chatOnMessageInput)
    .output(outputEvents(chatEvent))
    .subscription(async function* ({ ctx, input: { organizationId, sessionId, lastEventId }, signal }) {
      await readChatSession(ctx.services.database.db, organizationId, sessionId);
      const topic = chatTopic(organizationId, sessionId);
      for await (const event of watchEvents<ChatEvent>(ctx.services, topic, lastEventId, signal)) {
        yield event;
        if (event[1].type === "deleted") return;
      }
    }),
} satisfies TRPCRouterRecord;

/** A message to an agent is one input of its terminal, which ends with Enter. */
const MOST_TO_AGENT = MAX_TERMINAL_INPUT - 1;
const toAgent = z.object({
  text: z.string().max(MOST_TO_AGENT, `must be at most ${MOST_TO_AGENT} characters in a chat with an agent`),
});

const addMessage = (
  db: Kysely<Database>,
  {
    organizationId,
    sessionId,
    text,
    authorId,
  }: { organizationId: string; sessionId: string; text: string; authorId: string },
): Promise<ChatMessage> =>
  db.transaction().execute(async (trx) => {
    const session = await trx
      .updateTable("chat_sessions")
      .set({ last_active_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", sessionId)
      .returning("id")
      .executeTakeFirst();
    if (!session) throw chatSessionNotFound(sessionId);
    const row = await trx
      .insertInto("chat_messages")
      .values({
        id: newId(),
        organization_id: organizationId,
        session_id: sessionId,
        role: "user",
        author_id: authorId,
        text,
        // The clock, not the transaction's start: messages stay in order even if a transaction waited for the one
        // before.
        created_at: sql<string>`clock_timestamp()`,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const message = toChatMessage(row);
    const event: ChatEvent = { type: "message", message };
    await recordEvent(trx, chatTopic(organizationId, sessionId), event);
    return message;
  });
