import { setTimeout as sleep } from "node:timers/promises";
import { startApi } from "../../grove";
import { query, startDurablePostgres } from "../../postgres";
import type { Scope } from "../../scope";

/** It begins a minute after its process. */
const PATIENCE_MS = 20 * 60_000;

/** Starts PostgreSQL; it knows how long each statement took, if it has the extension for that. */
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
  /** The longest statement; undefined if nobody knows. */
  longest: { text: string; ms: number } | undefined;
  /** The longest ANALYZE, for which nobody waits. */
  analyze: number | undefined;
}

/** Lets a process of its own do the hourly work, and waits until it has. */
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
