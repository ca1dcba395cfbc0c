import type { Vault } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import { sql } from "kysely";
import { secretIdentity } from "./secrets";

const BATCH = 100;

/**
 * Encrypts again, with the newest key, every project secret that an older one encrypted; servers may run meanwhile.
 * Once it is done the older keys may be taken out of CREDENTIALS_KEY.
 * @returns how many there were
 */
export async function reencrypt({ db }: GroveDatabase, vault: Vault): Promise<number> {
  for (let total = 0; ; ) {
    const done = await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom("project_secrets")
        .select(["organization_id", "project_id", "key", "sealed"])
        .where(sql<boolean>`not starts_with(sealed, ${vault.sealedPrefix})`)
        .limit(BATCH)
        .forUpdate()
        .execute();
      for (const row of rows) {
        const identity = secretIdentity(row);
        await trx
          .updateTable("project_secrets")
          .set({ sealed: vault.seal(vault.open(row.sealed, identity), identity) })
          .where("organization_id", "=", row.organization_id)
          .where("project_id", "=", row.project_id)
          .where("key", "=", row.key)
          .execute();
      }
      return rows.length;
    });
    total += done;
    if (done === 0) return total;
  }
}
