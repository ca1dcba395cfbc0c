import { toPrincipalUser } from "../accounts/user";
import type { Auth } from "../auth";
import { hashSecret, kindOf } from "../secrets/secrets";
import { recordUse } from "./lastUsed";
import type { ApiKeyPrincipal, DevicePrincipal, Principal } from "./principal";
import { readSession } from "./sessions";

/**
 * The principal of a presented secret, in one statement. Null for a secret that is malformed, unknown, expired or
 * revoked, or that belongs to a disabled user or a former member. The caller does not learn which.
 */
export async function resolvePrincipal(auth: Auth, secret: string): Promise<Principal | null> {
  switch (kindOf(secret)) {
    case "session":
      return readSession(auth, secret);
    case "api_key":
      return findAndCache(auth, hashSecret(secret), findApiKey);
    case "device":
      return findAndCache(auth, hashSecret(secret), findDevice);
    case null:
      return null;
  }
}

/** Caches the principal that is found. */
async function findAndCache<Found extends ApiKeyPrincipal | DevicePrincipal>(
  auth: Auth,
  hash: string,
  find: (auth: Auth, hash: string) => Promise<Found | null>,
): Promise<Found | null> {
  const found = await find(auth, hash);
  auth.principalCache.keep(hash, found);
  return found;
}

async function findApiKey(auth: Auth, hash: string): Promise<ApiKeyPrincipal | null> {
  const row = await auth.apiKeys(hash);
  if (!row) return null;
  if (row.use_is_due) recordUse(auth.db, auth.log, "api_keys", row.id);
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

async function findDevice(auth: Auth, hash: string): Promise<DevicePrincipal | null> {
  const row = await auth.devices(hash);
  if (!row) return null;
  return {
    kind: "device",
    deviceId: row.id,
    keyHash: hash,
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    journalId: row.journal_id,
    epoch: row.epoch,
    organization: { id: row.organization_id, name: row.name, slug: row.slug },
  };
}
