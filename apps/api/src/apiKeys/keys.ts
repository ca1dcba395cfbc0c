import {
  cancelQueuedOfKey,
  createSecret,
  recordAudit,
  revokeDevices,
  type SessionPrincipal,
} from "@grove/auth";
import { newId, notify } from "@grove/db";
import type { ApiKey, ApiKeyCreateInput, ApiKeyListInput, ApiKeyRevokeInput } from "@grove/schemas";
import { sql } from "kysely";
import { newestFirst } from "../lib/pagination";
import { stayMember } from "../organizations/members";
import type { Services } from "../services";
import { apiKeyNotFound, toApiKey } from "./row";

/**
 * Creates a key, and returns it this once.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export function createKey(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: SessionPrincipal,
  input: ApiKeyCreateInput,
) {
  return database.db.transaction().execute(async (trx) => {
    // An account that is being taken over must not keep a key made at the same time.
    await stayMember(trx, principal, input.organizationId);
    await quotas.take(trx, "apiKeys", input.organizationId);
    const { secret, hash, prefix } = createSecret("api_key");
    const row = await trx
      .insertInto("api_keys")
      .values({
        id: newId(),
        organization_id: input.organizationId,
        user_id: principal.user.id,
        name: input.name,
        prefix,
        key_hash: hash,
        scopes: [...new Set(input.scopes)],
        expires_at: input.expiresAt ? new Date(input.expiresAt) : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "apiKey.create",
      target: { type: "api_key", id: row.id },
      metadata: { name: row.name, scopes: row.scopes },
    });
    return { ...toApiKey(row), key: secret };
  });
}

/** Reads a page of the keys that are not revoked, newest first: a member's own, an org-admin's all. */
export async function listKeys(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  input: ApiKeyListInput,
): Promise<ApiKey[]> {
  const { db } = database;
  const { organizationId } = input;
  let query = db
    .selectFrom("api_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("revoked_at", "is", null);
  if (principal.memberships.get(organizationId) === "member")
    query = query.where("user_id", "=", principal.user.id);
  return (await newestFirst(db, "api_keys", query, input)).map(toApiKey);
}

/**
 * Revokes a key, cancels its queued commands, and revokes the devices that it registered, if requested.
 * @throws {GroveError} NOT_FOUND
 */
export async function revokeKey(
  { database, metrics }: Pick<Services, "database" | "metrics">,
  principal: SessionPrincipal,
  { organizationId, id, revokeDevices: alsoDevices }: ApiKeyRevokeInput,
) {
  const { devices, settled } = await database.db.transaction().execute(async (trx) => {
    let query = trx
      .updateTable("api_keys")
      .set({ revoked_at: new Date() })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .where("revoked_at", "is", null)
      .returning(["id", "name"]);
    if (principal.memberships.get(organizationId) === "member")
      query = query.where("user_id", "=", principal.user.id);
    const revoked = await query.executeTakeFirst();
    if (!revoked) throw apiKeyNotFound(id);
    await notify(trx, "credential_revoked", revoked.id);
    await recordAudit(trx, principal, {
      organizationId,
      action: "apiKey.revoke",
      target: { type: "api_key", id: revoked.id },
      metadata: { name: revoked.name },
    });
    const cause = { actor: principal, action: "apiKey.revoke" };
    const settled = [
      ...(alsoDevices ? await revokeDevices(trx, registeredBy({ organizationId, id }), cause) : []),
      ...(await cancelQueuedOfKey(trx, { organizationId, keyId: id })),
    ];
    const devices = await trx
      .selectFrom("devices")
      .select(["id", "name"])
      .where(registeredBy({ organizationId, id }))
      .where("revoked_at", "is", null)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(1000)
      .execute();
    return { devices, settled };
  });
  metrics?.settled(settled);
  return { success: true as const, ...(devices.length > 0 && { devices }) };
}

const registeredBy = ({ organizationId, id }: { organizationId: string; id: string }) =>
  sql<boolean>`organization_id = ${organizationId} and registered_by_key = ${id}`;
