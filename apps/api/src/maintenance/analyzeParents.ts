import type { Database, Partitioned } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { type Step, stepsIn } from "./hourlyWork";

/** The share of rows inserted or deleted since the last ANALYZE, after which statistics are made again. */
const CHANGED_SHARE = 0.1;

/**
 * Runs ANALYZE on a partitioned parent if its statistics are missing or stale. Autovacuum analyzes only the partitions;
 * without statistics of the parent, the planner estimates 200 distinct users.
 *
 * It reads up to 30 000 rows of each partition, so it takes longer than other steps. Its lock blocks neither reads nor
 * writes. Columns without an index are skipped: no statement searches by them.
 */
export async function analyzeParent(
  db: Kysely<Database>,
  table: Partitioned,
  step: Step = stepsIn(db),
): Promise<void> {
  const { rows } = await sql<{ rows: number; known: number; columns: string[] }>`
    select coalesce(sum(greatest(part.reltuples, 0)), 0)::float8 as rows, whole.reltuples::float8 as known,
      (select array_agg(distinct attname::text) from pg_index join pg_attribute on attrelid = indrelid
        where indrelid = whole.oid and attnum = any (indkey)) as columns
    from pg_class as whole join pg_inherits on inhparent = whole.oid join pg_class as part on part.oid = inhrelid
    where whole.oid = to_regclass(${table}) group by whole.oid, whole.reltuples`.execute(db);
  const [found] = rows;
  if (!found || Math.abs(found.rows - Math.max(found.known, 0)) <= CHANGED_SHARE * found.rows) return;
  const columns = sql.join(found.columns.map((name) => sql.id(name)));
  await step((trx) => sql`analyze ${sql.table(table)} (${columns})`.execute(trx));
}
