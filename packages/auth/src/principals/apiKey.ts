import type { Database } from "@grove/db";
import type { ApiKeyScope, Role } from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { UserRow } from "../accounts/user";
import { useIsDue } from "./lastUsed";
import { batched } from "./lookup";

// Written as SQL, since every request runs one of these: building it again each time took a tenth of a small request.

export interface ApiKeyRow extends UserRow {
  hash: string;
  id: string;
  organization_id: string;
  scopes: ApiKeyScope[];
  expires_at: string | null;
  role: Role;
  use_is_due: boolean;
}

/** Selects valid API keys, with their owners and the owners' roles. */
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
        users.created_at, ${useIsDue("api_keys")} as use_is_due
      from ${apiKeysInForce} and api_keys.key_hash = any(${hashes}::text[])
    `.execute(db);
    return rows;
  });

/**
 * Returns the condition that an API key is valid when the statement begins. For a statement that acts for the key.
 * @param role the role that its owner must still have; any if it is null or left out
 */
export const apiKeyIsValid = (
  keyId: RawBuilder<string>,
  role: RawBuilder<Role | null> = sql`null`,
): RawBuilder<boolean> =>
  sql`exists (select from ${apiKeysInForce} and api_keys.id = ${keyId}
    and (${role} is null or memberships.role = ${role}))`;
