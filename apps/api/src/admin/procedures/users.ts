import {
  adminDeleteUserInput,
  adminGetUserInput,
  adminListUsersInput,
  adminSetUserDisabledInput,
  adminUser,
  adminUserDetails,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { adminProcedure } from "../../trpc/procedures";
import { deleteUser, listUsers, readUserDetails, setUserDisabled } from "../users";

export const userProcedures = {
  /** Users, newest first; `search` matches part of a name or an address. */
  listUsers: adminProcedure(adminListUsersInput)
    .output(output(z.array(adminUser)))
    .query(({ ctx, input }) => listUsers(ctx.services, input)),

  /** A user, their organizations, and how many live sessions, keys and devices the account has. */
  getUser: adminProcedure(adminGetUserInput)
    .output(output(adminUserDetails))
    .query(({ ctx, input }) => readUserDetails(ctx.services, input)),

  /**
   * Disables an account, or enables it again. Disabling ends its sessions, API keys and devices immediately. Enabling
   * lets its user sign in again; keys and devices stay revoked. FORBIDDEN `own_account` for the caller's own.
   */
  setUserDisabled: adminProcedure(adminSetUserDisabledInput)
    .output(output(adminUser))
    .mutation(({ ctx, input }) => setUserDisabled(ctx.services, ctx.principal, input)),

  /**
   * Deletes an account, and the organizations of which it is the only member. PRECONDITION_FAILED `last_owner` while it
   * is the only owner of an organization with other members; FORBIDDEN `own_account` for the caller's own; TIMEOUT as
   * in user.delete.
   */
  deleteUser: adminProcedure(adminDeleteUserInput)
    .output(output(success))
    .mutation(({ ctx, input }) => deleteUser(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
