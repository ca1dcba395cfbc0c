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
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { readChatSession, toChatSession } from "../row";
import { createChatSession, deleteChatSession, listChatSessions, renameChatSession } from "../sessions";

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
    .query(({ ctx, input }) => listChatSessions(ctx.services, input)),

  /** A session of the organization; NOT_FOUND if there is none. */
  getSession: memberProcedure(chatGetSessionInput)
    .output(output(chatSession))
    .query(async ({ ctx, input }) =>
      toChatSession(await readChatSession(ctx.services.database.db, input.organizationId, input.id)),
    ),

  /** Renames a session. */
  renameSession: memberProcedure(chatRenameSessionInput)
    .output(output(chatSession))
    .mutation(({ ctx, input }) => renameChatSession(ctx.services, input)),

  /** Deletes a session with its messages, permanently. Its streams end. */
  deleteSession: memberProcedure(chatDeleteSessionInput)
    .output(output(success))
    .mutation(({ ctx, input }) => deleteChatSession(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
