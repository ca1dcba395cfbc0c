import { recordAudit, type Vault } from "@grove/auth";
import type { Database, GroveDatabase } from "@grove/db";
import { sql, type Transaction } from "kysely";
import {
  connectionIdentity,
  notificationRuleIdentity,
  pushKeyIdentity,
  pushSubscriptionIdentity,
  secretIdentity,
  webhookIdentity,
} from "./identities";

const BATCH = 100;

/**
 * Encrypts again, with the newest key, every secret that an older one encrypted: projects' secrets, the credentials
 * and webhook secrets of connections, and the targets of notifications. Servers may keep running. Afterwards the older
 * keys may be removed from CREDENTIALS_KEY. Each organization's audit events record it.
 * @returns how many secrets there were
 */
export async function reencrypt({ db }: GroveDatabase, vault: Vault): Promise<number> {
  let total = 0;
  for (const batch of [projectSecrets, connections, webhooks, notificationRules, pushSubscriptions, pushKeys])
    for (let done = -1; done !== 0; total += done)
      done = await db.transaction().execute(async (trx) => {
        const organizations = await batch(trx, vault);
        await recordAudit(trx, { kind: "system" }, ...auditEntries(organizations));
        return organizations.length;
      });
  return total;
}

/** One audit event for each organization, from the organization of each secret. Users' own secrets get no event. */
function auditEntries(organizations: readonly (string | null)[]) {
  const counts = new Map<string, number>();
  for (const id of organizations) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].map(([organizationId, secrets]) => ({
    organizationId,
    action: "secrets.reencrypt",
    target: { type: "organization", id: organizationId },
    metadata: { secrets },
  }));
}

const isOlder = (vault: Vault) => sql<boolean>`not starts_with(sealed, ${vault.sealedPrefix})`;
const reseal = (vault: Vault, sealed: string, identity: string) =>
  vault.seal(vault.open(sealed, identity), identity);

/** Like {@link byId}. */
async function projectSecrets(trx: Transaction<Database>, vault: Vault): Promise<string[]> {
  const rows = await trx
    .selectFrom("project_secrets")
    .select(["organization_id", "project_id", "key", "sealed"])
    .where(isOlder(vault))
    .limit(BATCH)
    .forUpdate()
    .execute();
  for (const row of rows)
    await trx
      .updateTable("project_secrets")
      .set({ sealed: reseal(vault, row.sealed, secretIdentity(row)) })
      .where("organization_id", "=", row.organization_id)
      .where("project_id", "=", row.project_id)
      .where("key", "=", row.key)
      .execute();
  return rows.map((row) => row.organization_id);
}

const connections = (trx: Transaction<Database>, vault: Vault) =>
  byId(trx, vault, "integration_connections", connectionIdentity);
const webhooks = (trx: Transaction<Database>, vault: Vault) =>
  byId(trx, vault, "integration_webhooks", webhookIdentity);
const notificationRules = (trx: Transaction<Database>, vault: Vault) =>
  byId(trx, vault, "notification_rules", notificationRuleIdentity);

async function pushSubscriptions(trx: Transaction<Database>, vault: Vault): Promise<null[]> {
  const rows = await trx
    .selectFrom("push_subscriptions")
    .select(["id", "user_id", "sealed"])
    .where(isOlder(vault))
    .limit(BATCH)
    .forUpdate()
    .execute();
  for (const row of rows)
    await trx
      .updateTable("push_subscriptions")
      .set({ sealed: reseal(vault, row.sealed, pushSubscriptionIdentity(row)) })
      .where("id", "=", row.id)
      .execute();
  return rows.map(() => null);
}

async function pushKeys(trx: Transaction<Database>, vault: Vault): Promise<null[]> {
  const rows = await trx.selectFrom("push_keys").select("sealed").where(isOlder(vault)).forUpdate().execute();
  for (const { sealed } of rows)
    await trx
      .updateTable("push_keys")
      .set({ sealed: reseal(vault, sealed, pushKeyIdentity()) })
      .execute();
  return rows.map(() => null);
}

/** Re-encrypts some of the values that an older key encrypted. @returns the organization of each */
async function byId(
  trx: Transaction<Database>,
  vault: Vault,
  table: "integration_connections" | "integration_webhooks" | "notification_rules",
  identity: (row: { organization_id: string; id: string }) => string,
): Promise<string[]> {
  const rows = await trx
    .selectFrom(table)
    .select(["organization_id", "id", "sealed"])
    .where(isOlder(vault))
    .limit(BATCH)
    .forUpdate()
    .execute();
  for (const row of rows)
    await trx
      .updateTable(table)
      .set({ sealed: reseal(vault, row.sealed ?? "", identity(row)) })
      .where("organization_id", "=", row.organization_id)
      .where("id", "=", row.id)
      .execute();
  return rows.map((row) => row.organization_id);
}
