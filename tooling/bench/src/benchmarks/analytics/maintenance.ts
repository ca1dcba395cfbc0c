import { setTimeout as sleep } from "node:timers/promises";
import { startApi } from "../../grove";
import { query, startDurablePostgres } from "../../postgres";
import type { Scope } from "../../scope";

/** The hourly work begins a minute after its process. */
const PATIENCE_MS = 20 * 60_000;

/** Starts PostgreSQL, with `pg_stat_statements` if that is installed. */
export async function startObserved(scope: Scope, flushMs: number | undefined) {
  const settings = { maintenance_work_mem: "256MB", max_wal_size: "4GB" };
  try {
    const library = { shared_preload_libraries: "pg_stat_statements" };
    return { observed: true, ...(await startDurablePostgres(scope, flushMs, { ...settings, ...library })) };
  } catch {
    return { observed: false, ...(await startDurablePostgres(scope, flushMs, settings)) };
  }
}

/** The times of the hourly work, in milliseconds. */
interface Maintenance {
  whole: number;
  /** The longest statement; undefined without `pg_stat_statements`. */
  longest: { text: string; ms: number } | undefined;
  /** The longest ANALYZE, which blocks neither reads nor writes. */
  analyze: number | undefined;
}

/** Runs the hourly work in a separate process, and waits until it is done. */
export async function maintain(scope: Scope, databaseUrl: string, observed: boolean): Promise<Maintenance> {
  if (observed) await query(databaseUrl, "create extension if not exists pg_stat_statements");
  await query(databaseUrl, "delete from maintenance");
  await startApi(scope, databaseUrl);
  const isThere = (job: string) =>
    query<boolean>(databaseUrl, "select exists (select from maintenance where job = $1)", [job]);
  const end = performance.now() + PATIENCE_MS;
  const until = async (job: string) => {
    while (!(await isThere(job))) {
      if (performance.now() > end) throw new Error("The hourly work takes too long.");
      await sleep(100);
    }
  };
  if (observed) await query(databaseUrl, "select pg_stat_statements_reset()");
  await until("hourly");
  const began = performance.now();
  await until("ended");
  const whole = performance.now() - began;
  const longest = (condition: string) =>
    query<{ text: string; ms: number } | undefined>(
      databaseUrl,
      `select json_build_object('text', left(regexp_replace(query, '\\s+', ' ', 'g'), 60), 'ms', max_exec_time)
        from pg_stat_statements where ${condition} order by max_exec_time desc limit 1`,
    );
  return {
    whole,
    longest: observed ? await longest("query not ilike 'analyze %'") : undefined,
    analyze: observed ? (await longest("query ilike 'analyze %'"))?.ms : undefined,
  };
}
