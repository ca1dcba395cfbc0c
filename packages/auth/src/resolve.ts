import type { ApiKeyScope, Role } from "@grove/schemas";
import { sql } from "kysely";
import type { Auth } from "./auth";
import type { ApiKeyPrincipal, DevicePrincipal, Principal } from "./principal";
import { hashSecret, kindOf } from "./secrets";
import { readSession } from "./sessions";
import { recordUse, unusedForAMinute } from "./touch";
import { toPrincipalUser, type UserRow } from "./user";

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

// Written out as SQL, since every request runs one of these two: to build it anew took a tenth of a small request.

interface ApiKeyRow extends UserRow {
  id: string;
  organization_id: string;
  scopes: ApiKeyScope[];
  expires_at: string | null;
  role: Role;
  unused: boolean;
}

async function findApiKey(auth: Auth, secret: string): Promise<ApiKeyPrincipal | null> {
  const { rows } = await sql<ApiKeyRow>`
    select api_keys.id, api_keys.organization_id, api_keys.scopes, api_keys.expires_at, memberships.role,
      users.id as user_id, users.email, users.name, users.image, users.email_verified_at, users.created_at,
      ${unusedForAMinute("api_keys")} as unused
    from api_keys
    join users on users.id = api_keys.user_id
    join memberships on memberships.organization_id = api_keys.organization_id
      and memberships.user_id = api_keys.user_id
    where api_keys.key_hash = ${hashSecret(secret)} and api_keys.revoked_at is null
      and (api_keys.expires_at is null or api_keys.expires_at > now())
      and users.disabled_at is null
  `.execute(auth.db);
  const row = rows[0];
  if (!row) return null;
  if (row.unused) recordUse(auth.db, auth.log, "api_keys", row.id);
  return {
    kind: "api_key",
    keyId: row.id,
    organizationId: row.organization_id,
    scopes: row.scopes,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    user: toPrincipalUser(row),
    memberships: new Map([[row.organization_id, row.role]]),
  };
}

interface DeviceRow {
  id: string;
  organization_id: string;
  owner_id: string;
  journal_id: string | null;
  epoch: number;
  name: string;
  slug: string;
}

async function findDevice(auth: Auth, secret: string): Promise<DevicePrincipal | null> {
  const { rows } = await sql<DeviceRow>`
    select devices.id, devices.organization_id, devices.owner_id, devices.journal_id, devices.epoch,
      organizations.name, organizations.slug
    from devices
    join organizations on organizations.id = devices.organization_id
    join users on users.id = devices.owner_id
    join memberships on memberships.organization_id = devices.organization_id
      and memberships.user_id = devices.owner_id
    where devices.key_hash = ${hashSecret(secret)} and devices.revoked_at is null and users.disabled_at is null
  `.execute(auth.db);
  const row = rows[0];
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
