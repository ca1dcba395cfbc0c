import type { Database } from "@grove/db";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { resumePages, type Step } from "./hourlyWork";

/** Results up to this size stay as long as their command. */
const LARGE_BYTES = 8 * 1024;
/** How many commands a statement reads: some must be decompressed to find their size. */
const PAGE = 500;
/** How much one statement deletes. */
const STEP_BYTES = 4 * 1024 * 1024;

/** Deletes large results past retention. A result that arrives later is kept as long as its command. */
export const removeLargeResults = (step: Step): Promise<void> => resumePages(step, "results", removeAfter);

async function removeAfter(trx: Transaction<Database>, after: string): Promise<string | null> {
  const { rows } = await sql<{ reached: string | null; large: { id: string; bytes: number }[] | null }>`
    with page as (
      select id, finished_at, ${largest(sql`result`)} as result, ${largest(sql`late_result`)} as late
      from device_commands
      where finished_at > ${after}::timestamptz and finished_at < now() - ${lifetimes.largeResult}
      order by finished_at fetch first ${sql.lit(PAGE)} rows with ties)
    select max(finished_at)::text as reached,
      json_agg(json_build_object('id', id, 'bytes', result + late)) filter (where greatest(result, late) > ${sql.lit(LARGE_BYTES)}) as large
    from page`.execute(trx);
  let ids: string[] = [];
  let bytes = 0;
  for (const one of rows[0]?.large ?? []) {
    ids.push(one.id);
    bytes += one.bytes;
    if (bytes < STEP_BYTES) continue;
    await remove(trx, ids);
    [ids, bytes] = [[], 0];
  }
  if (ids.length > 0) await remove(trx, ids);
  return rows[0]?.reached ?? null;
}

/** Returns a value's size: on disk if that is large, otherwise as text, which decompresses the value. */
const largest = (column: RawBuilder<unknown>) => sql`coalesce(case
  when pg_column_size(${column}) > ${sql.lit(LARGE_BYTES)} or pg_column_compression(${column}) is null then pg_column_size(${column})
  else octet_length(${column}::text) end, 0)`;

const remove = (trx: Transaction<Database>, ids: string[]) =>
  sql`update device_commands set result = null, late_result = null, result_removed_at = now()
    where id = any (${ids}::uuid[])`.execute(trx);
