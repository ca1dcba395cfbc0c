import type { Auth } from "./auth";
import type { ApiKeyPrincipal, DevicePrincipal, Principal } from "./principal";
import { hashSecret, kindOf } from "./secrets";
import { readSession } from "./sessions";
import { recordUse } from "./touch";
import { toPrincipalUser } from "./user";

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
  const row = await auth.apiKeys(hashSecret(secret));
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

async function findDevice(auth: Auth, secret: string): Promise<DevicePrincipal | null> {
  const row = await auth.devices(hashSecret(secret));
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
