import { setTimeout as sleep } from "node:timers/promises";
import { query } from "../postgres";
import { processorTimeOf } from "../usage";
import { METRICS_TOKEN } from "./instances";

const POLL_MS = 10;
/** Reading how many devices are online takes the database a moment. */
const COUNT_EVERY_MS = 500;

/** The processor time of PostgreSQL's processes, in milliseconds, by their ids. */
async function processorTimeOfPostgres(databaseUrl: string): Promise<Map<number, number>> {
  const pids = await query<number[]>(databaseUrl, "select array_agg(pid) from pg_stat_activity");
  return new Map(pids.map((pid) => [pid, processorTimeOf(pid)]));
}

/** Reads what the instances and PostgreSQL have used so far. */
export async function readings(databaseUrl: string, apis: readonly number[]) {
  return {
    api: apis.reduce((sum, pid) => sum + processorTimeOf(pid), 0),
    postgres: await processorTimeOfPostgres(databaseUrl),
    wal: Number(await query(databaseUrl, "select pg_current_wal_lsn() - '0/0'")),
    transactions: Number(
      await query(databaseUrl, "select xact_commit from pg_stat_database where datname = current_database()"),
    ),
  };
}

type Readings = Awaited<ReturnType<typeof readings>>;

/** The work between two readings. A connection that came or went in between is left out. */
export function spent(before: Readings, after: Readings) {
  let postgres = 0;
  for (const [pid, time] of after.postgres) {
    const since = time - (before.postgres.get(pid) ?? time);
    if (!Number.isNaN(since)) postgres += since;
  }
  return {
    api: after.api - before.api,
    postgres,
    wal: after.wal - before.wal,
    transactions: after.transactions - before.transactions,
  };
}

/** The bytes that a command takes on disk, with its share of the indexes. */
export const spaceOfCommand = (databaseUrl: string) =>
  query<number>(
    databaseUrl,
    `select (sum(pg_total_relation_size(relid)) / (select count(*) from device_commands))::float8
      from pg_partition_tree('device_commands')`,
  );

/** The announcements of commands and of their ends that the instances have sent, and heard from each other. */
export async function announcements(urls: readonly string[]): Promise<{ sent: number; delivered: number }> {
  const pages = await Promise.all(urls.map(metricsOf));
  const sum = (name: string) =>
    pages
      .flatMap((page) => [
        ...page.matchAll(
          new RegExp(`^grove_announcements_${name}_total.*(?:wake|command_changed)"} (\\d+)$`, "gm"),
        ),
      ])
      .reduce((total, [, count]) => total + Number(count), 0);
  return { sent: sum("sent"), delivered: sum("heard") - sum("sent") };
}

/** The number of samples, out of 1 000, in which a connection waits for the lock that a notifying commit takes. */
export async function watchLocks(databaseUrl: string, signal: AbortSignal): Promise<number> {
  let [looks, waits] = [0, 0];
  while (!signal.aborted) {
    looks++;
    const waiting = await query<number>(
      databaseUrl,
      "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'object'",
    );
    if (waiting > 0) waits++;
    await sleep(POLL_MS);
  }
  return (waits / looks) * 1_000;
}

/** Counts the devices that are online, until the signal. Returns the fewest. */
export async function fewestOnline(url: string, signal: AbortSignal): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  while (!signal.aborted) {
    const online = /^grove_devices_online (\d+)$/m.exec(await metricsOf(url))?.[1];
    if (online !== undefined) fewest = Math.min(fewest, Number(online));
    await sleep(COUNT_EVERY_MS);
  }
  return fewest;
}

async function metricsOf(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${url}/metrics`, { headers })).text();
}
