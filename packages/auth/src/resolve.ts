import { sql } from "kysely";
import type { Auth } from "./auth";
import type { ApiKeyPrincipal, DevicePrincipal, Principal } from "./principal";
import { hashSecret, kindOf } from "./secrets";
import { readSession } from "./sessions";
import { recordUse, unusedForAMinute } from "./touch";
import { toPrincipalUser, userColumns } from "./user";

/**
 * Whom a presented secret stands for, in one statement. Null for what is malformed, unknown, expired or revoked, and
 * for whatever belongs to a disabled user or a former member; which of them is nobody's business.
 */
export async function resolvePrincipal(auth: Auth, secret: string): Promise<Principal | null> {
  switch (kindOf(secret)) {
    case "session":
      return readSession(auth, secret);
    case "api_key":
      return findApiKey(auth, secret);
    case "device":
      return findDevice(auth, secret);
    case null:
      return null;
  }
}

async function findApiKey(auth: Auth, secret: string): Promise<ApiKeyPrincipal | null> {
  const row = await auth.db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "api_keys.organization_id")
        .onRef("memberships.user_id", "=", "api_keys.user_id"),
    )
    .where("api_keys.key_hash", "=", hashSecret(secret))
    .where("api_keys.revoked_at", "is", null)
    .where((eb) =>
      eb.or([eb("api_keys.expires_at", "is", null), eb("api_keys.expires_at", ">", sql<Date>`now()`)]),
    )
    .where("users.disabled_at", "is", null)
    .select([
      "api_keys.id",
      "api_keys.organization_id",
      "api_keys.scopes",
      "api_keys.expires_at",
      "memberships.role",
      ...userColumns,
    ])
    .select(unusedForAMinute("api_keys").as("unused"))
    .executeTakeFirst();
  if (!row) return null;
  if (row.unused) recordUse(auth.db, auth.log, "api_keys", row.id);
  return {
    kind: "api_key",
    keyId: row.id,
    organizationId: row.organization_id,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    user: toPrincipalUser(row),
    memberships: new Map([[row.organization_id, row.role]]),
  };
}

async function findDevice(auth: Auth, secret: string): Promise<DevicePrincipal | null> {
  const row = await auth.db
    .selectFrom("devices")
    .innerJoin("organizations", "organizations.id", "devices.organization_id")
    .innerJoin("users", "users.id", "devices.owner_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "devices.organization_id")
        .onRef("memberships.user_id", "=", "devices.owner_id"),
    )
    .where("devices.key_hash", "=", hashSecret(secret))
    .where("devices.revoked_at", "is", null)
    .where("users.disabled_at", "is", null)
    .select([
      "devices.id",
      "devices.organization_id",
      "devices.owner_id",
      "devices.journal_id",
      "devices.epoch",
    ])
    .select(["organizations.name", "organizations.slug"])
    .executeTakeFirst();
  if (!row) return null;
  return {
    kind: "device",
    deviceId: row.id,
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    journalId: row.journal_id,
    epoch: row.epoch,
    organization: { id: row.organization_id, name: row.name, slug: row.slug },
  };
}
