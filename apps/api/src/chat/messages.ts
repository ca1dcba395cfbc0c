import type { UserPrincipal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import {
  type ChatEvent,
  type ChatListMessagesInput,
  type ChatMessage,
  type ChatSendMessageInput,
  MAX_TERMINAL_INPUT,
} from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { controlSession } from "../agentSessions/control";
import type { SessionOnDevice } from "../agentSessions/row";
import { recordEvent } from "../events/record";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { chatTopic } from "./chatTopic";
import { chatSessionNotFound, readChatSession, toChatMessage } from "./row";

/** A message to an agent is one input of its terminal, which ends with Enter. */
const MAX_TO_AGENT = MAX_TERMINAL_INPUT - 1;
const toAgent = z.object({
  text: z.string().max(MAX_TO_AGENT, `must be at most ${MAX_TO_AGENT} characters in a chat with an agent`),
});

/**
 * Adds a message to a session, and types it first to the agent that the session is tied to.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `quota_exceeded`; as agent.sendInput for a session with an agent
 */
export async function sendMessage(
  services: Services,
  principal: UserPrincipal,
  { organizationId, sessionId, text, caller }: ChatSendMessageInput & { caller: string },
  signal: AbortSignal | undefined,
): Promise<ChatMessage> {
  const { db } = services.database;
  const session = await readChatSession(db, organizationId, sessionId);
  if (session.agent_session_id !== null) toAgent.parse({ text });
  // Counted before the text is typed to the agent, since that cannot be undone.
  await services.quotas.take(db, "chatMessages", organizationId);
  await services.quotas.take(db, "chatBytes", organizationId, Buffer.byteLength(text));
  if (session.agent_session_id !== null) {
    // A terminal's Enter is a carriage return.
    const agent = {
      organizationId,
      id: session.agent_session_id,
      tool: "send_agent_input" as const,
      // The agent may ask another question before this message reaches its device.
      params: ({ screen }: SessionOnDevice) => ({
        text: `${text}\r`,
        ...(screen !== null && { screen }),
      }),
    };
    await controlSession(services, principal, agent, signal);
  }
  const authorId = principal.user.id;
  // A waiting call needs a turn for the part that does not wait.
  return services.callers.runInTurn(caller, 0, () =>
    addMessage(db, { organizationId, sessionId, text, authorId }),
  );
}

/**
 * Reads a page of a session's messages, newest first.
 * @throws {GroveError} NOT_FOUND
 */
export async function listMessages(
  { database }: Pick<Services, "database">,
  input: ChatListMessagesInput,
): Promise<ChatMessage[]> {
  const { db } = database;
  const { organizationId, sessionId } = input;
  await readChatSession(db, organizationId, sessionId);
  const query = db
    .selectFrom("chat_messages")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("session_id", "=", sessionId);
  return (await newestFirst(db, "chat_messages", query, input)).map(toChatMessage);
}

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
        // Uses the clock, not the transaction's start, so that messages stay in order even if a transaction waited for
        // another.
        created_at: sql<string>`clock_timestamp()`,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const message = toChatMessage(row);
    const event: ChatEvent = { type: "message", message };
    await recordEvent(trx, chatTopic(organizationId, sessionId), event);
    return message;
  });
