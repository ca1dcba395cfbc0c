import { changePassword, requirePassword, type SessionPrincipal, toUser } from "@grove/auth";
import {
  noInput,
  signInMethods,
  success,
  user,
  userChangePasswordInput,
  userDeleteInput,
  userUpdateInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import type { Services } from "../../services";
import { output } from "../../trpc/output";
import { protectedProcedure, sessionProcedure } from "../../trpc/procedures";
import { readSignInMethods, updateAccount } from "../account";
import { deleteAccount } from "../deleteAccount";

export const accountProcedures = {
  /** The caller: a session's user, or the owner of an API key. */
  get: protectedProcedure(noInput)
    .output(output(user))
    .query(({ ctx }) => toUser(ctx.principal.user, ctx.services.config.adminEmailDomain)),

  /** Changes the given fields. */
  update: sessionProcedure(userUpdateInput)
    .output(output(user))
    .mutation(({ ctx, input }) => updateAccount(ctx.services, ctx.principal, input)),

  /** The ways in which the caller can sign in. An account made through a provider has no password. */
  getSignInMethods: sessionProcedure(noInput)
    .output(output(signInMethods))
    .query(({ ctx }) => readSignInMethods(ctx.services, ctx.principal)),

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
      ctx.services.metrics?.settled(settled);
      ctx.services.log.info({ reqId: ctx.requestId, userId: user.id }, "account deleted");
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;

/** Counts a password that a signed-in user tries. Attempts by strangers are counted separately. */
const takePassword = ({ limits }: Pick<Services, "limits">, { user }: SessionPrincipal): void =>
  limits.account.take(user.email, "signed in");
