import { endSessions, GroveError, recordAudit, revokeCredentials, type UserPrincipal } from "@grove/auth";
import type {
  AdminDeleteUserInput,
  AdminGetUserInput,
  AdminListUsersInput,
  AdminSetUserDisabledInput,
  AdminUser,
  Success,
} from "@grove/schemas";
import { sql } from "kysely";
import { deleteAccount } from "../accounts/deleteAccount";
import { adminUserColumns, toAdminUser, userNotFound } from "../accounts/row";
import { newestFirstOfSite } from "../lib/pagination";
import { containing } from "../lib/search";
import type { Services } from "../services";

/** Reads a page of the site's users, newest first. */
export async function listUsers(
  { config, database }: Pick<Services, "config" | "database">,
  { search, ...page }: AdminListUsersInput,
): Promise<AdminUser[]> {
  const { slow: db } = database;
  let query = db.selectFrom("users").select(adminUserColumns);
  if (search !== undefined)
    query = query.where(sql<boolean>`(${containing("name", search)} or ${containing("email", search)})`);
  const rows = await newestFirstOfSite(db, "users", query, page);
  return rows.map((row) => toAdminUser(row, config));
}

/**
 * Reads a user with their organizations and the number of live credentials.
 * @throws {GroveError} NOT_FOUND
 */
export async function readUserDetails(
  { config, database }: Pick<Services, "config" | "database">,
  input: AdminGetUserInput,
) {
  const { db } = database;
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
  return { ...toAdminUser(row, config), organizations, sessions, apiKeys, devices };
}

/**
 * Disables or enables an account. Disabling revokes its sessions, keys and devices.
 * @throws {GroveError} FORBIDDEN `own_account`; NOT_FOUND
 */
export async function setUserDisabled(
  { config, database, metrics }: Pick<Services, "config" | "database" | "metrics">,
  principal: UserPrincipal,
  input: AdminSetUserDisabledInput,
): Promise<AdminUser> {
  requireOther(principal.user.id, input.id);
  const { user, settled } = await database.db.transaction().execute(async (trx) => {
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
    const cause = { actor: principal, action: "admin.setUserDisabled" };
    if (input.disabled) await endSessions(trx, input.id);
    const settled = input.disabled ? await revokeCredentials(trx, { userId: input.id }, cause) : [];
    const memberships = await trx
      .selectFrom("memberships")
      .select("organization_id")
      .where("user_id", "=", input.id)
      .execute();
    for (const { organization_id: organizationId } of memberships)
      await recordAudit(trx, principal, {
        organizationId,
        action: "admin.setUserDisabled",
        target: { type: "user", id: input.id },
        metadata: { disabled: input.disabled },
      });
    return { user: toAdminUser(row, config), settled };
  });
  metrics?.settled(settled);
  return user;
}

/**
 * Deletes another user's account.
 * @throws {GroveError} FORBIDDEN `own_account`; PRECONDITION_FAILED `last_owner`; TIMEOUT
 */
export async function deleteUser(
  { database, metrics }: Pick<Services, "database" | "metrics">,
  principal: UserPrincipal,
  input: AdminDeleteUserInput,
): Promise<Success> {
  requireOther(principal.user.id, input.id);
  const settled = await deleteAccount(database.db, principal, input.id);
  metrics?.settled(settled);
  return { success: true as const };
}

function requireOther(ownId: string, id: string): void {
  if (ownId !== id) return;
  throw new GroveError(
    "FORBIDDEN",
    "This is your own account. Another admin can disable or delete it; you can delete it on your account's page.",
    { reason: "own_account" },
  );
}
