import type { Database, Log } from "@grove/db";
import { type Kysely, sql } from "kysely";

/** The credentials whose last use is recorded. */
type Used = "sessions" | "api_keys";

/** By the database's clock, whether the last use recorded is a minute old, or none was. */
export const unusedForAMinute = (table: Used) => {
  const lastUsed = sql.ref(`${table}.last_used_at`);
  return sql<boolean>`(${lastUsed} is null or ${lastUsed} < now() - interval '1 minute')`;
};

/**
 * Records that a credential was used: at most once a minute, whoever else does so too. Nobody waits for it; that it
 * failed is logged.
 */
export function recordUse(db: Kysely<Database>, log: Log, table: Used, id: string): void {
  const update = db
    .updateTable(table)
    .set({ last_used_at: sql<string>`now()` })
    .where("id", "=", id)
    .where(unusedForAMinute(table));
  update.execute().catch((error: unknown) => {
    log.error({ err: error, table, id }, "the use of a credential could not be recorded");
  });
}
