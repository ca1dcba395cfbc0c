import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark, Context, Row } from "../benchmark";
import { connectFleet } from "../fleets";
import { type Grove, startAgent, startGrove } from "../grove";
import { type Call, compare, type Subject, warmUp } from "../load";
import { startDurablePostgres } from "../postgres";
import { Scope } from "../scope";
import { memoryOf } from "../usage";
import { groveCommand } from "./command";

const FLEETS = [100, 1_000];
const IDLE_MS = 40_000;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const IN_FLIGHT = 64;

type CreateDatabase = () => Promise<string>;

/** Runs a part of the benchmark and ends its processes, so that they do not disturb the next part. */
async function withOwnScope<T>(context: Context, part: (context: Context) => Promise<T>): Promise<T> {
  const own = new Scope();
  context.scope.defer(() => own.close());
  try {
    return await part({ ...context, scope: own });
  } finally {
    await own.close();
  }
}

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
    const measured = await withOwnScope(context, async (own) => {
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

/** Measures the real device agent while it is idle. */
async function agentMemory(context: Context, createDatabase: CreateDatabase): Promise<Row[]> {
  const grove = await startGrove(context.scope, await createDatabase());
  const { pid } = await startAgent(context.scope, grove);
  await sleep(IDLE_MS);
  return [
    {
      measure: "memory of an idle device agent, MiB",
      grove: memoryOf(pid)?.now ?? Number.NaN,
      aim: { of: "grove", atMost: 80 },
    },
  ];
}

export const devices: Benchmark = {
  name: "devices",
  summary: "commands per second with 100 and 1 000 devices connected; memory of an idle agent",
  async run(context) {
    const { rounds = ROUNDS } = context;
    const rows: Row[] = [];
    for (const part of [agentMemory, throughput])
      rows.push(
        ...(await withOwnScope(context, async (own) =>
          part(own, (await startDurablePostgres(own.scope, own.flushMs)).createDatabase),
        )),
      );
    return {
      title:
        "devices that answer heartbeats and commands immediately, all from one other process; floor: the same with one device",
      rows,
      notes: [
        `Medians of ${rounds} rounds in turns, ${ROUND_MS / 1_000} s each side, ${IN_FLIGHT} in flight.`,
        `The agent is idle for ${IDLE_MS / 1_000} s before its memory is read.`,
      ],
    };
  },
};
