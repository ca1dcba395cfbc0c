import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark, Context, Row } from "../benchmark";
import { connectFleet } from "../fleets";
import { type Grove, startAgent, startGrove } from "../grove";
import { type Call, compare, measure, type Subject, warmUp } from "../load";
import { query, startDurablePostgres } from "../postgres";
import { memoryOf, processorTimeOf } from "../processes";
import { Scope } from "../scope";
import { groveCommand } from "./command";

const FLEETS = [100, 1_000];
const IDLE = 5_000;
const BEATS = 2;
/** A process with 5 000 streams asks each of them every 20 s. */
const BEAT_MS = 20_000;
/** Long enough for `BEATS` beats of every device. */
const IDLE_MS = BEATS * BEAT_MS + 2_000;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const IN_FLIGHT = 64;

type CreateDatabase = () => Promise<string>;

/** Runs a part of the benchmark and ends its processes, so that they do not disturb the next part. */
async function alone<T>(context: Context, part: (context: Context) => Promise<T>): Promise<T> {
  const own = new Scope();
  context.scope.defer(() => own.close());
  try {
    return await part({ ...context, scope: own });
  } finally {
    await own.close();
  }
}

const mebibytes = (pid: number): number => memoryOf(pid)?.now ?? Number.NaN;

/** How much PostgreSQL has written to its log, in bytes. */
const logOf = (databaseUrl: string) =>
  query<number>(databaseUrl, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8");

/** Sends each command to the next device in turn. */
function commandsTo(grove: Grove, ids: readonly string[]): Call {
  const calls = ids.map((id) => groveCommand(grove, id));
  let next = 0;
  return async () => calls[next++ % calls.length]?.();
}

/** An API process with `count` devices, ready to be measured. */
async function fleetOf(context: Context, databaseUrl: string, count: number): Promise<Subject> {
  context.progress(`connecting ${count}`);
  const grove = await startGrove(context.scope, databaseUrl);
  const call = commandsTo(grove, (await connectFleet(context.scope, grove, databaseUrl, count)).ids);
  await warmUp(call);
  return { call, pid: grove.pid };
}

/** Compares commands to many devices with commands to one, in turns. */
async function throughput(context: Context, createDatabase: CreateDatabase): Promise<Row[]> {
  const { rounds = ROUNDS, progress } = context;
  const one = await fleetOf(context, await createDatabase(), 1);
  const rows: Row[] = [];
  for (const count of FLEETS) {
    const measured = await alone(context, async (own) => {
      const many = await fleetOf(own, await createDatabase(), count);
      return compare({
        floor: one,
        grove: many,
        inFlight: IN_FLIGHT,
        rounds,
        ms: ROUND_MS,
        progress: (round) => progress(`${count} connected, round ${round} of ${rounds}`),
      });
    });
    const { floor, grove, ratio } = measured;
    const row = (measure: string, figure: "perSecond" | "p99" | "cpu") => ({
      measure: `${count} connected, ${measure}`,
      floor: floor[figure],
      grove: grove[figure],
      ratio: ratio[figure],
    });
    rows.push(
      row("commands/s", "perSecond"),
      row("p99 ms", "p99"),
      row("processor time of the API, ms a command", "cpu"),
    );
  }
  return rows;
}

/** Measures one API process with many idle streams. */
async function idle(context: Context, createDatabase: CreateDatabase): Promise<Row[]> {
  const { scope, progress } = context;
  const databaseUrl = await createDatabase();
  const grove = await startGrove(scope, databaseUrl);
  await warmUp(() => grove.client.organization.list.query());
  const before = mebibytes(grove.pid);
  progress(`connecting ${IDLE}`);
  const began = { time: performance.now(), cpu: processorTimeOf(grove.pid) };
  const { ids } = await connectFleet(scope, grove, databaseUrl, IDLE);
  const connecting = performance.now() - began.time;
  // A checkpoint would write whole pages once more.
  const settled = await logOf(databaseUrl);
  const cpu = processorTimeOf(grove.pid);
  progress(`${IDLE} idle`);
  await sleep(IDLE_MS);
  const idleCpu = processorTimeOf(grove.pid) - cpu;
  const idleLog = ((await logOf(databaseUrl)) - settled) / IDLE / (IDLE_MS / 60_000);
  const { organizationId, client } = grove;
  const connected = mebibytes(grove.pid);
  const call = commandsTo(grove, ids);
  const sample = await measure({ call, pid: grove.pid }, 1, ROUND_MS);
  let online = 0;
  for (let after: string | undefined; ; ) {
    const page = await client.device.list.query({ organizationId, status: "online", limit: 1_000, after });
    online += page.length;
    after = page.at(-1)?.id;
    if (page.length < 1_000) break;
  }
  return [
    { measure: `${IDLE} devices connected, s`, grove: connecting / 1_000 },
    {
      measure: "processor time of the API, ms a connect, with its beats until all are in",
      grove: (cpu - began.cpu) / IDLE,
    },
    {
      measure: "processor time of the API, ms a beat",
      grove: idleCpu / (IDLE * BEATS),
      aim: { of: "grove", atMost: 0.25 },
    },
    {
      measure: "PostgreSQL's log of idle devices, bytes a device-minute",
      grove: idleLog,
      aim: { of: "grove", atMost: 100 },
    },
    { measure: `online of ${IDLE} after two beats`, grove: online },
    { measure: "memory of the API for each of them, KiB", grove: ((connected - before) * 1_024) / IDLE },
    { measure: "memory of the API with all of them, MiB", grove: connected },
    { measure: "a command among them, p50 ms", grove: sample.p50 },
    { measure: "a command among them, p99 ms", grove: sample.p99 },
  ];
}

/** Measures the real agent while it is idle. */
async function agentMemory(context: Context, createDatabase: CreateDatabase): Promise<Row[]> {
  const grove = await startGrove(context.scope, await createDatabase());
  const { pid } = await startAgent(context.scope, grove);
  await sleep(IDLE_MS);
  return [
    {
      measure: "memory of an idle device agent, MiB",
      grove: mebibytes(pid),
      aim: { of: "grove", atMost: 80 },
    },
  ];
}

export const devices: Benchmark = {
  name: "devices",
  summary: "many connected devices: commands per second, memory, 5 000 idle streams",
  async run(context) {
    const { rounds = ROUNDS } = context;
    const rows: Row[] = [];
    for (const part of [agentMemory, idle, throughput])
      rows.push(
        ...(await alone(context, async (own) =>
          part(own, (await startDurablePostgres(own.scope, own.flushMs)).createDatabase),
        )),
      );
    return {
      title:
        "devices that answer beats and commands immediately, all from one other process; floor: the same with one device",
      rows,
      notes: [
        `Medians of ${rounds} rounds in turns, ${ROUND_MS / 1_000} s each side, ${IN_FLIGHT} in flight.`,
        `Idle: after ${IDLE_MS / 1_000} s, two beats of each.`,
      ],
    };
  },
};
