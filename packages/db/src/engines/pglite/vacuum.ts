import { type Kysely, sql } from "kysely";
import type { Log } from "../../log";
import type { Database } from "../../tables";

const FIRST_DELAY_MS = 60_000;
const INTERVAL_MS = 3_600_000;

/**
 * Vacuums and analyzes the embedded engine's tables, as autovacuum does on a server: shortly after the start, then
 * every hour. PGlite has no background processes. Without this, its planner would assume empty tables, files would grow
 * with every change, and index-only scans would not work. Each run ends with a checkpoint.
 * @returns a function that stops the schedule
 */
export function keepVacuumed(db: Kysely<Database>, log: Log): () => void {
  const vacuum = () =>
    void vacuumAll(db).catch((error) => log.warn({ err: error }, "could not vacuum the embedded database"));
  const first = setTimeout(vacuum, FIRST_DELAY_MS).unref();
  const timer = setInterval(vacuum, INTERVAL_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** Vacuums one table per statement, so that other statements run in between. A partitioned parent is only analyzed. */
export async function vacuumAll(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string; kind: "r" | "p" }>`
    select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db);
  for (const { name, kind } of rows)
    await (kind === "p" ? sql`analyze ${sql.table(name)}` : sql`vacuum (analyze) ${sql.table(name)}`).execute(
      db,
    );
  // Frees the write-ahead log, which would grow until the process ends.
  await sql`checkpoint`.execute(db);
}
