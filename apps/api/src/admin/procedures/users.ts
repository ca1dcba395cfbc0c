import { endSessions, GroveError, recordAudit, revokeCredentials } from "@grove/auth";
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
import { sql } from "kysely";
import * as z from "zod";
import { deleteAccount } from "../../accounts/deleteAccount";
import { adminUserColumns, toAdminUser, userNotFound } from "../../accounts/row";
import { newestFirstOfSite } from "../../lib/pagination";
import { containing } from "../../lib/search";
import { countSettled } from "../../metrics/metrics";
import { output } from "../../trpc/output";
import { adminProcedure } from "../../trpc/procedures";

export const userProcedures = {
  /** Users, newest first; `search` matches part of a name or an address. */
  listUsers: adminProcedure(adminListUsersInput)
    .output(output(z.array(adminUser)))
    .query(async ({ ctx, input }) => {
      const { slow: db } = ctx.services.database;
      let query = db.selectFrom("users").select(adminUserColumns);
      if (input.search !== undefined)
        query = query.where(
          sql<boolean>`(${containing("name", input.search)} or ${containing("email", input.search)})`,
        );
      return (await newestFirstOfSite(db, "users", query, input)).map((row) =>
        toAdminUser(row, ctx.services.config),
      );
    }),

  /** A user, their organizations, and how many live sessions, keys and devices the account has. */
  getUser: adminProcedure(adminGetUserInput)
    .output(output(adminUserDetails))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const row = await db
        .selectFrom("users")
        .select(adminUserColumns)
        .select([
          sql<number>`(select count(*)::integer from sessions
            where user_id = users.id and expires_at > now())`.as("sessions"),
          sql<number>`(select count(*)::integer from api_keys
            where user_id = users.id and revoked_at is null
              and (expires_at is null or expires_at > now()))`.as("api_keys"),
          sql<number>`(select count(*)::integer from devices
            where owner_id = users.id and revoked_at is null)`.as("devices"),
        ])
        .where("id", "=", input.id)
        .executeTakeFirst();
      if (!row) throw userNotFound(input.id);
      const organizations = await db
        .selectFrom("memberships")
        .innerJoin("organizations", "organizations.id", "memberships.organization_id")
        .select(["organizations.id", "name", "slug", "role"])
        .where("memberships.user_id", "=", input.id)
        .orderBy("organizations.created_at")
        .orderBy("organizations.id")
        .execute();
      const { sessions, api_keys: apiKeys, devices } = row;
      return { ...toAdminUser(row, ctx.services.config), organizations, sessions, apiKeys, devices };
    }),

  /**
   * Disables an account, or enables it again. Disabling ends its sessions, API keys and devices immediately. Enabling
   * lets its user sign in again; keys and devices stay revoked. FORBIDDEN `own_account` for the caller's own.
   */
  setUserDisabled: adminProcedure(adminSetUserDisabledInput)
    .output(output(adminUser))
    .mutation(async ({ ctx, input }) => {
      requireOther(ctx.principal.user.id, input.id);
      const { user, settled } = await ctx.services.database.db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable("users")
          .set({
            disabled_at: input.disabled ? sql<string>`coalesce(disabled_at, now())` : null,
            updated_at: sql<string>`now()`,
          })
          .where("id", "=", input.id)
          .returning(adminUserColumns)
          .executeTakeFirst();
        if (!row) throw userNotFound(input.id);
        const cause = { actor: ctx.principal, action: "admin.setUserDisabled" };
        if (input.disabled) await endSessions(trx, input.id);
        const settled = input.disabled ? await revokeCredentials(trx, { userId: input.id }, cause) : [];
        const memberships = await trx
          .selectFrom("memberships")
          .select("organization_id")
          .where("user_id", "=", input.id)
          .execute();
        for (const { organization_id: organizationId } of memberships)
          await recordAudit(trx, ctx.principal, {
            organizationId,
            action: "admin.setUserDisabled",
            target: { type: "user", id: input.id },
            metadata: { disabled: input.disabled },
          });
        return { user: toAdminUser(row, ctx.services.config), settled };
      });
      countSettled(ctx.services, settled);
      return user;
    }),

  /**
   * Deletes an account, and the organizations of which it is the only member. PRECONDITION_FAILED `last_owner` while it
   * is the only owner of an organization with other members; FORBIDDEN `own_account` for the caller's own; TIMEOUT as
   * in user.delete.
   */
  deleteUser: adminProcedure(adminDeleteUserInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      requireOther(ctx.principal.user.id, input.id);
      const settled = await deleteAccount(ctx.services.database.db, ctx.principal, input.id);
      countSettled(ctx.services, settled);
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;

function requireOther(ownId: string, id: string): void {
  if (ownId !== id) return;
  throw new GroveError(
    "FORBIDDEN",
    "This is your own account. Another admin can disable or delete it; you can delete it with user.delete.",
    { reason: "own_account" },
  );
}
