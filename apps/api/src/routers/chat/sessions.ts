import { GroveError, recordAudit } from "@grove/auth";
import { type ChatSessionTable, type Database, newId } from "@grove/db";
import {
  type ChatEvent,
  type ChatSession,
  chatCreateSessionInput,
  chatDeleteSessionInput,
  chatGetSessionInput,
  chatListSessionsInput,
  chatRenameSessionInput,
  chatSession,
  success,
} from "@grove/schemas";
import type { Kysely, Selectable, Transaction } from "kysely";
import * as z from "zod";
import { recordEvent } from "../../events/record";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

/**
 * Begins a session, optionally about a workspace and tied to an agent session: messages are then typed to that agent.
 * NOT_FOUND if the organization has no such workspace or agent session; PRECONDITION_FAILED `quota_exceeded`.
 */
export const createSession = memberProcedure(chatCreateSessionInput)
  .output(output(chatSession))
  .mutation(({ ctx, input }) =>
    ctx.services.database.db.transaction().execute(async (trx) => {
      const { organizationId, workspaceId, agentSessionId } = input;
      if (workspaceId) await lock(trx, "workspaces", organizationId, workspaceId);
      if (agentSessionId) await lock(trx, "agent_sessions", organizationId, agentSessionId);
      await ctx.services.quotas.take(trx, "chatSessions", organizationId);
      const row = await trx
        .insertInto("chat_sessions")
        .values({
          id: newId(),
          organization_id: organizationId,
          title: input.title,
          workspace_id: workspaceId ?? null,
          agent_session_id: agentSessionId ?? null,
          created_by: ctx.principal.user.id,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toSession(row);
    }),
  );

/** Chat sessions, newest first. */
export const listSessions = memberProcedure(chatListSessionsInput)
  .output(output(z.array(chatSession)))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services.database;
    const query = db
      .selectFrom("chat_sessions")
      .selectAll()
      .where("organization_id", "=", input.organizationId);
    return (await newestFirst(db, "chat_sessions", query, input)).map(toSession);
  });

/** A session of the organization; NOT_FOUND if there is none. */
export const getSession = memberProcedure(chatGetSessionInput)
  .output(output(chatSession))
  .query(async ({ ctx, input }) =>
    toSession(await readSession(ctx.services.database.db, input.organizationId, input.id)),
  );

/** Renames a session. */
export const renameSession = memberProcedure(chatRenameSessionInput)
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
  });

/** Deletes a session with its messages, permanently. Its streams end. */
export const deleteSession = memberProcedure(chatDeleteSessionInput)
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
      await trx
        .deleteFrom("organization_events")
        .where("organization_id", "=", organizationId)
        .where("topic", "=", messagesOf(organizationId, id).topic)
        .execute();
      await recordAudit(trx, ctx.principal, {
        organizationId,
        action: "chat.deleteSession",
        target: { type: "chat_session", id },
        metadata: { title: row.title },
      });
      const deleted: ChatEvent = { type: "deleted" };
      await recordEvent(trx, messagesOf(organizationId, id), deleted);
      return { success: true as const };
    }),
  );

/** The topic of a session's message events. */
export const messagesOf = (organizationId: string, sessionId: string) => ({
  organizationId,
  topic: `chat:${sessionId}`,
});

/** @throws NOT_FOUND */
export async function readSession(
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

export const noSession = (id: string) =>
  new GroveError("NOT_FOUND", `There is no chat session ${id}. List them with chat.listSessions.`);

const named = { workspaces: "workspace", agent_sessions: "agent session" } as const;

/** Keeps the row until the session that refers to it is inserted. */
async function lock(
  trx: Transaction<Database>,
  table: keyof typeof named,
  organizationId: string,
  id: string,
): Promise<void> {
  const row = await trx
    .selectFrom(table)
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new GroveError("NOT_FOUND", `There is no ${named[table]} ${id}.`);
}

const toSession = (row: Selectable<ChatSessionTable>): ChatSession => ({
  id: row.id,
  title: row.title,
  workspaceId: row.workspace_id,
  agentSessionId: row.agent_session_id,
  createdBy: row.created_by,
  lastActiveAt: row.last_active_at,
  createdAt: row.created_at,
});
