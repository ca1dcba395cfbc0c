import type { Database } from "@grove/db";
import type { ApiKeyScope, Role } from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { UserRow } from "../accounts/user";
import { unusedForAMinute } from "./lastUsed";
import { batched } from "./lookup";

// Written as SQL, since every request runs one of these: building it again each time took a tenth of a small request.

export interface ApiKeyRow extends UserRow {
  hash: string;
  id: string;
  organization_id: string;
  scopes: ApiKeyScope[];
  expires_at: string | null;
  role: Role;
  unused: boolean;
}

/** API keys that are in force, with their owners and the owners' roles. */
const apiKeysInForce = sql`
  api_keys
  join users on users.id = api_keys.user_id
  join memberships on memberships.organization_id = api_keys.organization_id
    and memberships.user_id = api_keys.user_id
  where api_keys.revoked_at is null
    and (api_keys.expires_at is null or api_keys.expires_at > now())
    and users.disabled_at is null`;

export const apiKeyLookup = (db: Kysely<Database>) =>
  batched(async (hashes) => {
    const { rows } = await sql<ApiKeyRow>`
      select api_keys.key_hash as hash, api_keys.id, api_keys.organization_id, api_keys.scopes, api_keys.expires_at,
        memberships.role, users.id as user_id, users.email, users.name, users.image, users.email_verified_at,
        users.created_at, ${unusedForAMinute("api_keys")} as unused
      from ${apiKeysInForce} and api_keys.key_hash = any(${hashes}::text[])
    `.execute(db);
    return rows;
  });

/**
 * For a statement that acts for an API key: whether the key is in force when the statement begins.
 * @param role the role that its owner must still have; null for any
 */
export const apiKeyIsValid = (
  keyId: RawBuilder<string>,
  role: RawBuilder<Role | null>,
): RawBuilder<boolean> =>
  sql`exists (select from ${apiKeysInForce} and api_keys.id = ${keyId}
    and (${role} is null or memberships.role = ${role}))`;

/** For a statement that acts for a user: whether the user is a member, and not disabled, when the statement begins. */
export const isStillMember = (
  organizationId: RawBuilder<string>,
  userId: RawBuilder<string>,
): RawBuilder<boolean> => sql`exists (
  select from memberships join users on users.id = memberships.user_id
  where memberships.organization_id = ${organizationId} and memberships.user_id = ${userId}
    and users.disabled_at is null)`;

/** Whether an API key is in force, whatever its owner's role. */
export const apiKeyInForce = (keyId: RawBuilder<string>): RawBuilder<boolean> =>
  sql`exists (select from ${apiKeysInForce} and api_keys.id = ${keyId})`;

export interface DeviceRow {
  hash: string;
  id: string;
  organization_id: string;
  owner_id: string;
  journal_id: string | null;
  epoch: number;
  name: string;
  slug: string;
}

/** Devices whose key is in force. */
const devicesInForce = sql`
  devices
  join users on users.id = devices.owner_id
  join memberships on memberships.organization_id = devices.organization_id
    and memberships.user_id = devices.owner_id
  where devices.revoked_at is null and users.disabled_at is null`;

export const deviceLookup = (db: Kysely<Database>) =>
  batched(async (hashes) => {
    const { rows } = await sql<DeviceRow>`
      select devices.key_hash as hash, devices.id, devices.organization_id, devices.owner_id, devices.journal_id,
        devices.epoch, organizations.name, organizations.slug
      from organizations, ${devicesInForce}
        and organizations.id = devices.organization_id and devices.key_hash = any(${hashes}::text[])
    `.execute(db);
    return rows;
  });

/**
 * For a statement that acts for a cached device: whether its key is in force, and unchanged, when the statement begins.
 */
export const deviceKeyIsValid = (
  deviceId: RawBuilder<string>,
  keyHash: RawBuilder<string>,
): RawBuilder<boolean> =>
  sql`exists (select from ${devicesInForce} and devices.id = ${deviceId} and devices.key_hash = ${keyHash})`;
