import { notification } from "@grove/db";
import { success, userListSessionsInput, userRevokeSessionInput, userSession } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { newestFirstOfUser } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { sessionProcedure } from "../../trpc/procedures";
import { toUserSession, userSessionColumns, userSessionNotFound } from "../row";

export const sessionProcedures = {
  /** The caller's sessions, newest first: pages by `limit` (1 to 1000, 1000 by default) and `after`, or no input. */
  listSessions: sessionProcedure(userListSessionsInput)
    .output(output(z.array(userSession)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const userId = ctx.principal.user.id;
      const query = db
        .selectFrom("sessions")
        .select(userSessionColumns)
        .where("user_id", "=", userId)
        .where("expires_at", ">", sql<string>`now()`);
      const rows = await newestFirstOfUser(db, "sessions", query, { userId, ...input });
      return rows.map((row) => toUserSession(row, ctx.principal.sessionId));
    }),

  /** Ends one of the caller's sessions from its next request on; NOT_FOUND if there is none. */
  revokeSession: sessionProcedure(userRevokeSessionInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      const ended = await ctx.services.database.db
        .deleteFrom("sessions")
        .where("user_id", "=", ctx.principal.user.id)
        .where("id", "=", input.id)
        .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"))
        .executeTakeFirst();
      if (!ended) throw userSessionNotFound(input.id);
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;
