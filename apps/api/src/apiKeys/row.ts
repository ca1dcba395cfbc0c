import { GroveError } from "@grove/auth";
import type { ApiKeyTable } from "@grove/db";
import type { ApiKey } from "@grove/schemas";
import type { Selectable } from "kysely";

/** A key's row as the API returns it: never the key itself. */
export const toApiKey = (row: Selectable<ApiKeyTable>): ApiKey => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
});

export const apiKeyNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no API key ${id} of yours.`);
