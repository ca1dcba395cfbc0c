import {
  chatCreateSessionInput,
  chatDeleteSessionInput,
  chatGetSessionInput,
  chatListSessionsInput,
  chatRenameSessionInput,
  chatSession,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { chatSessionNotFound, readChatSession, toChatSession } from "../row";
import { createChatSession, deleteChatSession } from "../sessions";

export const sessionProcedures = {
  /**
   * Begins a session, optionally about a workspace and tied to an agent session: messages are then typed to that agent.
   * NOT_FOUND if the organization has no such workspace or agent session; PRECONDITION_FAILED `quota_exceeded`.
   */
  createSession: memberProcedure(chatCreateSessionInput)
    .output(output(chatSession))
    .mutation(({ ctx, input }) => createChatSession(ctx.services, ctx.principal, input)),

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
    .mutation(({ ctx, input }) => deleteChatSession(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
