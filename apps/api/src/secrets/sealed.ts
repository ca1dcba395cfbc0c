import { recordAudit, type Vault } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import {
  connectionIdentity,
  notificationRuleIdentity,
  pushKeyIdentity,
  pushSubscriptionIdentity,
  secretIdentity,
  webhookIdentity,
} from "./identities";

const identities = {
  project_secrets: secretIdentity,
  integration_connections: connectionIdentity,
  integration_webhooks: webhookIdentity,
  notification_rules: notificationRuleIdentity,
  push_subscriptions: pushSubscriptionIdentity,
  push_keys: pushKeyIdentity,
};
type Table = keyof typeof identities;
/** All tables. `Object.keys` types them as strings. */
const tables = Object.keys(identities) as Table[];

/** A sealed row of a table. */
interface Sample {
  table: Table;
  keyId: string;
  sealed: string;
  /** The identity of the row, which the secret was sealed with. */
  identity: string;
}

const keyIdOf = sql<string>`split_part(sealed, '.', 1)`;

/** One sealed row for each key in each table. */
export async function sealedSamples(db: Kysely<Database>): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const table of tables) {
    const { rows } = await sql<{
      key_id: string;
      sealed: string;
      organization_id: string;
      project_id: string;
      key: string;
      id: string;
      user_id: string;
    }>`select distinct on (${keyIdOf}) *, ${keyIdOf} as key_id from ${sql.table(table)}
      where sealed is not null order by ${keyIdOf}`.execute(db);
    for (const row of rows)
      samples.push({ table, keyId: row.key_id, sealed: row.sealed, identity: identities[table](row) });
  }
  return samples;
}

/** Whether the vault has the key of a sample. */
export function opens(vault: Vault, { sealed, identity }: Pick<Sample, "sealed" | "identity">): boolean {
  try {
    vault.open(sealed, identity);
    return true;
  } catch {
    return false;
  }
}

/**
 * Deletes what no key of the vault opens, since its key is lost: the projects' secrets, connections, webhooks, and the
 * targets of notifications. An audit event informs each organization.
 * @returns how many rows there were
 */
export async function forgetUnreadable(trx: Transaction<Database>, vault: Vault): Promise<number> {
  let total = 0;
  // Webhooks before connections, whose deletion would remove them uncounted.
  for (const { table, keyId } of (await sealedSamples(trx))
    .filter((sample) => !opens(vault, sample))
    .reverse()) {
    const { rows } = await sql<{ organization_id: string | null }>`
      delete from ${sql.table(table)} as lost where ${keyIdOf} = ${keyId}
      returning (to_jsonb(lost) ->> 'organization_id') as organization_id`.execute(trx);
    total += rows.length;
    const organizations = [...new Set(rows.flatMap((row) => row.organization_id ?? []))];
    await recordAudit(
      trx,
      { kind: "system" },
      ...organizations.map((organizationId) => ({
        organizationId,
        action: "secrets.forgetUnreadable",
        target: { type: table, id: keyId },
        metadata: { count: rows.filter((row) => row.organization_id === organizationId).length },
      })),
    );
  }
  return total;
}
