import type { Database, Log } from "@grove/db";
import { type Kysely, sql } from "kysely";

/** The credentials whose last use is recorded. */
type Used = "sessions" | "api_keys";

/** Whether a use is due to be recorded: the last one is a minute old by the database's clock, or there is none. */
export const useIsDue = (table: Used) => {
  const lastUsed = sql.ref(`${table}.last_used_at`);
  return sql<boolean>`(${lastUsed} is null or ${lastUsed} < now() - interval '1 minute')`;
};

/**
 * Records the use of a credential, at most once a minute across all processes. Does not wait for the database; a
 * failure is logged.
 */
export function recordUse(db: Kysely<Database>, log: Log, table: Used, id: string): void {
  const update = db
    .updateTable(table)
    .set({ last_used_at: sql<string>`now()` })
    .where("id", "=", id)
    .where(useIsDue(table));
  update.execute().catch((error: unknown) => {
    log.error({ err: error, table, id }, "the use of a credential could not be recorded");
  });
}
