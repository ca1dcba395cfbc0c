import { GroveError } from "@grove/auth";
import { type ChatMessageTable, type ChatSessionTable, type Database, newId } from "@grove/db";
import {
  type ChatEvent,
  type ChatMessage,
  type ChatSession,
  chatCreateSessionInput,
  chatDeleteSessionInput,
  chatGetSessionInput,
  chatListMessagesInput,
  chatListSessionsInput,
  chatMessage,
  chatOnMessageInput,
  chatRenameSessionInput,
  chatSendMessageInput,
  chatSession,
  success,
} from "@grove/schemas";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import * as z from "zod";
import { recordAudit } from "../audit";
import { recordEvent } from "../events/record";
import { watchEvents } from "../events/watch";
import { afterCursor } from "../keyset";
import { output } from "../outputs";
import { memberProcedure, router } from "../trpc";

export const chatRouter = router({
  /** Begins a session, about a workspace when one is named; NOT_FOUND when the organization has no such workspace. */
  createSession: memberProcedure(chatCreateSessionInput)
    .output(output(chatSession))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        if (input.workspaceId) await lockWorkspace(trx, input.organizationId, input.workspaceId);
        const row = await trx
          .insertInto("chat_sessions")
          .values({
            id: newId(),
            organization_id: input.organizationId,
            title: input.title,
            workspace_id: input.workspaceId ?? null,
            created_by: ctx.principal.user.id,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toSession(row);
      }),
    ),

  /** Newest first. */
  listSessions: memberProcedure(chatListSessionsInput)
    .output(output(z.array(chatSession)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db
        .selectFrom("chat_sessions")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(input.limit);
      if (input.after !== undefined)
        query = query.where(await afterCursor(db, "chat_sessions", input.organizationId, input.after));
      return (await query.execute()).map(toSession);
    }),

  /** A session of the organization; NOT_FOUND else. */
  getSession: memberProcedure(chatGetSessionInput)
    .output(output(chatSession))
    .query(async ({ ctx, input }) =>
      toSession(await readSession(ctx.services.database.db, input.organizationId, input.id)),
    ),

  renameSession: memberProcedure(chatRenameSessionInput)
    .output(output(chatSession))
    .mutation(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .updateTable("chat_sessions")
        .set({ title: input.title })
        .where("organization_id", "=", input.organizationId)
        .where("id", "=", input.id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw noSession(input.id);
      return toSession(row);
    }),

  /** Deletes a session with its messages, for good. */
  deleteSession: memberProcedure(chatDeleteSessionInput)
    .output(output(success))
    .mutation(({ ctx, input: { organizationId, id } }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom("chat_sessions")
          .where("organization_id", "=", organizationId)
          .where("id", "=", id)
          .returning("title")
          .executeTakeFirst();
        if (!row) throw noSession(id);
        const { topic } = messagesOf(organizationId, id);
        await trx
          .deleteFrom("organization_events")
          .where("organization_id", "=", organizationId)
          .where("topic", "=", topic)
          .execute();
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "chat.deleteSession",
          target: { type: "chat_session", id },
          metadata: { title: row.title },
        });
        return { success: true as const };
      }),
    ),

  /** Adds a message of the caller's to a session. */
  sendMessage: memberProcedure(chatSendMessageInput)
    .output(output(chatMessage))
    .mutation(({ ctx, input: { organizationId, sessionId, text } }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const session = await trx
          .updateTable("chat_sessions")
          .set({ last_active_at: sql<Date>`now()` })
          .where("organization_id", "=", organizationId)
          .where("id", "=", sessionId)
          .returning("id")
          .executeTakeFirst();
        if (!session) throw noSession(sessionId);
        const row = await trx
          .insertInto("chat_messages")
          .values({
            id: newId(),
            organization_id: organizationId,
            session_id: sessionId,
            role: "user",
            author_id: ctx.principal.user.id,
            text,
            // One after the other, also when a transaction has waited for the one before.
            created_at: sql<Date>`clock_timestamp()`,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const message = toMessage(row);
        const event: ChatEvent = { type: "message", message };
        await recordEvent(trx, messagesOf(organizationId, sessionId), event);
        return message;
      }),
    ),

  /** Newest first. */
  listMessages: memberProcedure(chatListMessagesInput)
    .output(output(z.array(chatMessage)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      await readSession(db, input.organizationId, input.sessionId);
      let query = db
        .selectFrom("chat_messages")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .where("session_id", "=", input.sessionId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(input.limit);
      if (input.after !== undefined)
        query = query.where(await afterCursor(db, "chat_messages", input.organizationId, input.after));
      return (await query.execute()).map(toMessage);
    }),

  /**
   * New messages of a session, resumable: after those that followed `lastEventId` comes `ready`, then each message as
   * it is sent.
   */
  onMessage: memberProcedure(chatOnMessageInput).subscription(async function* ({ ctx, input, signal }) {
    const { organizationId, sessionId } = input;
    await readSession(ctx.services.database.db, organizationId, sessionId);
    yield* watchEvents<ChatEvent>(
      ctx.services,
      messagesOf(organizationId, sessionId),
      input.lastEventId,
      signal,
    );
  }),
});

/** The events of a session's messages. */
const messagesOf = (organizationId: string, sessionId: string) => ({
  organizationId,
  topic: `chat:${sessionId}`,
});

async function readSession(
  db: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<Selectable<ChatSessionTable>> {
  const row = await db
    .selectFrom("chat_sessions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw noSession(id);
  return row;
}

const noSession = (id: string) =>
  new GroveError("NOT_FOUND", `There is no chat session ${id}. List them with chat.listSessions.`);

/** So that it is there until the session that refers to it is. */
async function lockWorkspace(
  trx: Transaction<Database>,
  organizationId: string,
  workspaceId: string,
): Promise<void> {
  const workspace = await trx
    .selectFrom("workspaces")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", workspaceId)
    .forKeyShare()
    .executeTakeFirst();
  if (!workspace) throw new GroveError("NOT_FOUND", `There is no workspace ${workspaceId}.`);
}

const toSession = (row: Selectable<ChatSessionTable>): ChatSession => ({
  id: row.id,
  title: row.title,
  workspaceId: row.workspace_id,
  createdBy: row.created_by,
  lastActiveAt: row.last_active_at.toISOString(),
  createdAt: row.created_at.toISOString(),
});

const toMessage = (row: Selectable<ChatMessageTable>): ChatMessage => ({
  id: row.id,
  role: row.role,
  authorId: row.author_id,
  text: row.text,
  createdAt: row.created_at.toISOString(),
});
