import { type Kysely, sql } from "kysely";
import type { Log } from "../log";
import type { Database } from "../tables";

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/**
 * Analyzes the embedded engine's tables for its planner, as autovacuum does on a server: shortly after the start, then
 * every hour. PGlite has no background processes, and would plan as if the tables were empty.
 * @returns a function that stops it
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

/** One table per statement, so that other statements get a turn in between. */
export async function analyzeAll(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db);
}
