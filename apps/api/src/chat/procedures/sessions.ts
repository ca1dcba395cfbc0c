import { recordAudit } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import {
  type ChatEvent,
  chatCreateSessionInput,
  chatDeleteSessionInput,
  chatGetSessionInput,
  chatListSessionsInput,
  chatRenameSessionInput,
  chatSession,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import type { Transaction } from "kysely";
import * as z from "zod";
import { agentSessionNotFound } from "../../agentSessions/row";
import { recordEvent } from "../../events/record";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { workspaceNotFound } from "../../workspaces/row";
import { chatTopic } from "../events";
import { chatSessionNotFound, readChatSession, toChatSession } from "../row";

export const sessionProcedures = {
  /**
   * Begins a session, optionally about a workspace and tied to an agent session: messages are then typed to that agent.
   * NOT_FOUND if the organization has no such workspace or agent session; PRECONDITION_FAILED `quota_exceeded`.
   */
  createSession: memberProcedure(chatCreateSessionInput)
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
        return toChatSession(row);
      }),
    ),

  /** Chat sessions, newest first. */
  listSessions: memberProcedure(chatListSessionsInput)
    .output(output(z.array(chatSession)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const query = db
        .selectFrom("chat_sessions")
        .selectAll()
        .where("organization_id", "=", input.organizationId);
      return (await newestFirst(db, "chat_sessions", query, input)).map(toChatSession);
    }),

  /** A session of the organization; NOT_FOUND if there is none. */
  getSession: memberProcedure(chatGetSessionInput)
    .output(output(chatSession))
    .query(async ({ ctx, input }) =>
      toChatSession(await readChatSession(ctx.services.database.db, input.organizationId, input.id)),
    ),

  /** Renames a session. */
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
      if (!row) throw chatSessionNotFound(input.id);
      return toChatSession(row);
    }),

  /** Deletes a session with its messages, permanently. Its streams end. */
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
        if (!row) throw chatSessionNotFound(id);
        await trx
          .deleteFrom("organization_events")
          .where("organization_id", "=", organizationId)
          .where("topic", "=", chatTopic(organizationId, id).topic)
          .execute();
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "chat.deleteSession",
          target: { type: "chat_session", id },
          metadata: { title: row.title },
        });
        const deleted: ChatEvent = { type: "deleted" };
        await recordEvent(trx, chatTopic(organizationId, id), deleted);
        return { success: true as const };
      }),
    ),
} satisfies TRPCRouterRecord;

const notFound = { workspaces: workspaceNotFound, agent_sessions: agentSessionNotFound };

/** Keeps the row until the session that refers to it is inserted. */
async function lock(
  trx: Transaction<Database>,
  table: keyof typeof notFound,
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
  if (!row) throw notFound[table](id);
}
