import { setTimeout as sleep } from "node:timers/promises";
import { natsBinary, startNats } from "@grove/testing/nats";
import type { Benchmark, Context, Row } from "../benchmark";
import { connectFleet } from "../fleets";
import { type Grove, signUpTo, startApi } from "../grove";
import { type Call, measure, warmUp } from "../load";
import { query, startDurablePostgres } from "../postgres";
import { memoryOf, processorTimeOf } from "../processes";
import { Scope } from "../scope";
import { median } from "../stats";
import { groveCommand } from "./command";

/** How many devices on how many instances. The first is what the others are compared with. */
const POINTS = [
  { devices: 2_500, instances: 1 },
  { devices: 5_000, instances: 1 },
  { devices: 5_000, instances: 2 },
  { devices: 10_000, instances: 2 },
  { devices: 10_000, instances: 3 },
  { devices: 20_000, instances: 3 },
];
/** A cloud's disk. */
const FLUSH_MS = 1;
/** Every device has been asked for a beat within this time, and is then idle. */
const SETTLE_MS = 20_000;
const IDLE_MS = 60_000;
const COMMANDS_MS = 10_000;
const IN_FLIGHT = 64;
const LOOK_EVERY_MS = 10;
/** The most by which a cost may differ from the first point's. */
const FLAT = 1.1;

const METRICS_TOKEN = "the benchmark's own";

interface Point {
  devices: number;
  instances: number;
}

interface Costs {
  "API, ms of the processor a device-minute": number;
  "PostgreSQL, ms of the processor a device-minute": number;
  "transactions a device-minute": number;
  "WAL, bytes a device-minute": number;
  "memory of the API, KiB a stream": number;
  "API, ms of the processor a command": number;
  "PostgreSQL, ms of the processor a command": number;
  "WAL, bytes a command": number;
}

/** Figures that are no costs, or have none at the first point. */
interface Facts {
  "connects a second": number;
  "commands/s": number;
  "  p99 ms": number;
  "  announcements a command": number;
  "  deliveries an announcement": number;
  "  waits for a lock of the whole server, of 1 000 looks": number;
  "an instance killed: all online elsewhere after, s"?: number;
  "  p99 of the others meanwhile, × before"?: number;
}

/** The processor time of PostgreSQL's processes, in milliseconds, by their ids. */
async function processorTimeOfPostgres(databaseUrl: string): Promise<Map<number, number>> {
  const pids = await query<number[]>(databaseUrl, "select array_agg(pid) from pg_stat_activity");
  return new Map(pids.map((pid) => [pid, processorTimeOf(pid)]));
}

async function readings(databaseUrl: string, apis: readonly number[]) {
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
function spent(before: Readings, after: Readings) {
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

/** The announcements of commands and of their ends that the instances have sent, and heard from each other. */
async function announcements(urls: readonly string[]): Promise<{ sent: number; delivered: number }> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const pages = await Promise.all(
    urls.map(async (url) => (await fetch(`${url}/metrics`, { headers })).text()),
  );
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

/** The share of looks, of 1 000, at which some connection waits for the lock that a notifying commit takes. */
async function watchLocks(databaseUrl: string, signal: AbortSignal): Promise<number> {
  let [looks, waits] = [0, 0];
  while (!signal.aborted) {
    looks++;
    const waiting = await query<number>(
      databaseUrl,
      "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'object'",
    );
    if (waiting > 0) waits++;
    await sleep(LOOK_EVERY_MS);
  }
  return (waits / looks) * 1_000;
}

/** Each command goes by the next instance to the next device. */
function commands(grove: Grove, urls: readonly string[], ids: readonly string[]): Call {
  const calls = ids.map((id, at) =>
    // As if callers and devices had met by chance: of two instances, every other command crosses.
    groveCommand({ ...grove, url: urls[Math.floor(at / urls.length) % urls.length] ?? grove.url }, id),
  );
  let next = 0;
  return async () => calls[next++ % calls.length]?.();
}

async function measurePoint(
  { progress }: Context,
  scope: Scope,
  point: Point,
  flushMs: number,
): Promise<{ costs: Costs; facts: Facts }> {
  const { devices, instances } = point;
  const say = (what: string) => progress(`${devices} devices on ${instances}: ${what}`);
  say("starting");
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const bus = await natsUrl(scope);
  const apis: { url: string; pid: number }[] = [];
  for (let n = 0; n < instances; n++)
    apis.push(await startApi(scope, databaseUrl, { METRICS_TOKEN, ...(bus && { NATS_URL: bus }) }));
  const [first] = apis;
  if (!first) throw new Error("A point has at least one instance.");
  const grove = await signUpTo(first);
  const urls = apis.map(({ url }) => url);
  const pids = apis.map(({ pid }) => pid);
  await warmUp(() => grove.client.organization.list.query());
  const memory = () => pids.reduce((sum, pid) => sum + (memoryOf(pid)?.now ?? Number.NaN), 0);
  const empty = memory();

  say("connecting");
  const began = performance.now();
  const { ids, back } = await connectFleet(scope, grove, databaseUrl, devices, urls);
  const connectedS = (performance.now() - began) / 1_000;
  await postgres.analyze();
  await sleep(SETTLE_MS);
  say("idle");
  const full = memory();
  const beforeIdle = await readings(databaseUrl, pids);
  await sleep(IDLE_MS);
  const idle = spent(beforeIdle, await readings(databaseUrl, pids));

  say("commands");
  const call = commands(grove, urls, ids);
  await warmUp(call);
  const stop = new AbortController();
  const locks = watchLocks(databaseUrl, stop.signal);
  const beforeCommands = await readings(databaseUrl, pids);
  const announced = await announcements(urls);
  const load = await measure({ call, pid: first.pid }, IN_FLIGHT, COMMANDS_MS);
  const after = await announcements(urls);
  const busy = spent(beforeCommands, await readings(databaseUrl, pids));
  stop.abort();
  const count = (load.perSecond * COMMANDS_MS) / 1_000;
  const sent = after.sent - announced.sent;

  const minutes = (devices * IDLE_MS) / 60_000;
  return {
    costs: {
      "API, ms of the processor a device-minute": idle.api / minutes,
      "PostgreSQL, ms of the processor a device-minute": idle.postgres / minutes,
      "transactions a device-minute": idle.transactions / minutes,
      "WAL, bytes a device-minute": idle.wal / minutes,
      "memory of the API, KiB a stream": ((full - empty) * 1_024) / devices,
      "API, ms of the processor a command": busy.api / count,
      "PostgreSQL, ms of the processor a command": busy.postgres / count,
      "WAL, bytes a command": busy.wal / count,
    },
    facts: {
      "connects a second": devices / connectedS,
      "commands/s": load.perSecond,
      "  p99 ms": load.p99,
      "  announcements a command": sent / count,
      "  deliveries an announcement": (after.delivered - announced.delivered) / sent,
      "  waits for a lock of the whole server, of 1 000 looks": await locks,
      ...(instances > 1 && (await killOne(point, grove, apis, ids, back))),
    },
  };
}

/** Kills the last instance, while callers of the first send commands to devices there. */
async function killOne(
  { devices, instances }: Point,
  grove: Grove,
  apis: readonly { url: string; pid: number }[],
  ids: readonly string[],
  back: (count: number) => Promise<void>,
): Promise<Partial<Facts>> {
  const own = ids.filter((_, at) => at % instances === 0);
  const subject = { call: commands(grove, [grove.url], own), pid: grove.pid };
  const before = await measure(subject, 1, COMMANDS_MS);
  const killed = apis.at(-1);
  if (killed) process.kill(killed.pid, "SIGKILL");
  const began = performance.now();
  const lost = Math.floor(devices / instances);
  const returned = back(lost).then(() => (performance.now() - began) / 1_000);
  const p99s: number[] = [];
  for (let isBack = false; !isBack; ) {
    p99s.push((await measure(subject, 1, 1_000)).p99);
    isBack = await Promise.race([returned.then(() => true), Promise.resolve(false)]);
  }
  return {
    "an instance killed: all online elsewhere after, s": await returned,
    "  p99 of the others meanwhile, × before": median(p99s) / before.p99,
  };
}

async function natsUrl(scope: Scope): Promise<string | undefined> {
  if (natsBinary() === undefined) return undefined;
  const nats = await startNats({ fresh: true });
  scope.defer(() => nats.stop());
  return nats.url;
}

/** A cost that does not grow with devices and instances is what can be shown on two cores. */
export const scale: Benchmark = {
  name: "scale",
  summary:
    "the costs of 2 500 to 20 000 devices on one to three API processes (--rounds N: the first N points)",
  async run(context) {
    const { scope, rounds = POINTS.length, flushMs = FLUSH_MS } = context;
    const rows: Row[] = [];
    let floor: Costs | undefined;
    for (const point of POINTS.slice(0, rounds)) {
      const own = new Scope();
      scope.defer(() => own.close());
      const { costs, facts } = await measurePoint(context, own, point, flushMs);
      await own.close();
      floor ??= costs;
      rows.push({ measure: `${point.devices} devices on ${point.instances}`, grove: Number.NaN });
      for (const [measure, grove] of Object.entries(costs)) {
        const of = floor[measure as keyof Costs];
        rows.push({
          measure,
          floor: of,
          grove,
          ratio: grove / of,
          aim: { of: "ratio", atMost: FLAT },
        });
      }
      for (const [measure, grove] of Object.entries(facts)) rows.push({ measure, grove });
    }
    return {
      title:
        "devices that answer beats and commands immediately, from other processes; floor: the first point",
      rows,
      notes: [
        `A flush takes ${flushMs} ms. ${natsBinary() ? "Announcements go by NATS." : "Without nats-server on this machine, announcements go by NOTIFY."}`,
        `Idle for ${IDLE_MS / 1_000} s, then ${IN_FLIGHT} commands in flight for ${COMMANDS_MS / 1_000} s, to all devices, by all instances in turn.`,
      ],
    };
  },
};
