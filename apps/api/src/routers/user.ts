import {
  changePassword,
  GroveError,
  requirePassword,
  type SessionPrincipal,
  toPrincipalUser,
  toUser,
  userColumns,
} from "@grove/auth";
import { notification } from "@grove/db";
import {
  noInput,
  success,
  user,
  userChangePasswordInput,
  userDeleteInput,
  userListSessionsInput,
  userRevokeSessionInput,
  userSession,
  userUpdateInput,
} from "@grove/schemas";
import { sql } from "kysely";
import * as z from "zod";
import { deleteAccount } from "../accounts/deleteAccount";
import { newestFirstOfUser } from "../lib/pagination";
import { countSettled } from "../maintenance/metrics";
import type { Services } from "../services";
import { router } from "../trpc/init";
import { output } from "../trpc/output";
import { protectedProcedure, sessionProcedure } from "../trpc/procedures";

export const userRouter = router({
  /** The caller: a session's user, or the owner of an API key. */
  get: protectedProcedure(noInput)
    .output(output(user))
    .query(({ ctx }) => toUser(ctx.principal.user, ctx.services.config.adminEmailDomain)),

  /** Changes the given fields. */
  update: sessionProcedure(userUpdateInput)
    .output(output(user))
    .mutation(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .updateTable("users")
        .set({ ...input, updated_at: sql<string>`now()` })
        .where("id", "=", ctx.principal.user.id)
        .returning(userColumns)
        .executeTakeFirstOrThrow();
      return toUser(toPrincipalUser(row), ctx.services.config.adminEmailDomain);
    }),

  /**
   * Sets a new password and ends the other sessions. FORBIDDEN `invalid_credentials` if the current password is wrong.
   */
  changePassword: sessionProcedure(userChangePasswordInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      takePassword(ctx.services, ctx.principal);
      await changePassword(ctx.services.auth, ctx.principal, input);
      return { success: true as const };
    }),

  /** The caller's sessions, newest first: pages by `limit` (1 to 1000, 1000 by default) and `after`, or no input. */
  listSessions: sessionProcedure(userListSessionsInput)
    .output(output(z.array(userSession)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const userId = ctx.principal.user.id;
      const query = db
        .selectFrom("sessions")
        .select(["id", "created_at", "last_used_at", "ip", "user_agent"])
        .where("user_id", "=", userId)
        .where("expires_at", ">", sql<string>`now()`);
      const rows = await newestFirstOfUser(db, "sessions", query, { userId, ...input });
      return rows.map((row) => ({
        id: row.id,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        ip: row.ip,
        userAgent: row.user_agent,
        current: row.id === ctx.principal.sessionId,
      }));
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
      if (!ended) throw new GroveError("NOT_FOUND", `There is no session ${input.id} of yours.`);
      return { success: true as const };
    }),

  /**
   * Deletes the caller's account, its memberships, keys and devices, and the organizations of which it is the only
   * member. PRECONDITION_FAILED `last_owner` while it is the only owner of an organization with other members;
   * FORBIDDEN `invalid_credentials` if the password is wrong; TIMEOUT when writes to its organizations do not pause
   * within about five seconds.
   */
  delete: sessionProcedure(userDeleteInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      const { auth, database } = ctx.services;
      const { user } = ctx.principal;
      takePassword(ctx.services, ctx.principal);
      await requirePassword(auth, user.id, input.password);
      const settled = await deleteAccount(database.db, ctx.principal, user.id);
      countSettled(ctx.services, settled);
      ctx.services.log.info({ reqId: ctx.requestId, userId: user.id }, "account deleted");
      return { success: true as const };
    }),
});

/** Counts a password that a signed-in user tries. Attempts by strangers are counted separately. */
const takePassword = ({ limits }: Pick<Services, "limits">, { user }: SessionPrincipal): void =>
  limits.account.take(user.email, "signed in");
