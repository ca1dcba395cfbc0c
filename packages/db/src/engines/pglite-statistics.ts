import { type Kysely, sql } from "kysely";
import type { Log } from "../log";
import type { Database } from "../tables";

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/**
 * Tells the embedded engine's planner what the tables hold, as autovacuum does on a server: shortly after the start, then
 * every hour. PGlite has no background processes, and would plan as for empty tables.
 * @returns a function that ends it
 */
export function keepStatistics(db: Kysely<Database>, log: Log): () => void {
  const refresh = () =>
    void analyzeAll(db).catch((error) => log.warn({ err: error }, "could not analyze the embedded database"));
  const first = setTimeout(refresh, FIRST_MS).unref();
  const timer = setInterval(refresh, EVERY_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** One table a statement, so that others have their turn in between. */
export async function analyzeAll(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db);
}
