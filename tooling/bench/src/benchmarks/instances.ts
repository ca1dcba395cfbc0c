import type { Benchmark, Context, Row } from "../benchmark";
import { startAgent, startApi, startGrove } from "../grove";
import { compare, type Subject, warmUp } from "../load";
import { startDurablePostgres } from "../postgres";
import { logStatements } from "../statements";
import { COUNTED, comparisonRows, groveCommand, startFloorCommand, statementsOf, summarize } from "./command";

const ROUNDS = 8;
const ROUND_MS = 1_000;
const IN_FLIGHT = 64;

/** Two API processes on one database: the device is connected to one, the caller asks the other. */
async function startPair(
  { scope }: Context,
  databaseUrl: string,
  more?: Record<string, string>,
): Promise<Subject> {
  const grove = await startGrove(scope, databaseUrl, more);
  const device = await startAgent(scope, grove);
  const second = await startApi(scope, databaseUrl, more);
  const call = groveCommand({ ...grove, url: second.url }, device.id);
  return { call, pid: second.pid, devicePid: device.pid };
}

/** One process, with the caller and the device. */
async function startOne({ scope }: Context, databaseUrl: string): Promise<Subject> {
  const grove = await startGrove(scope, databaseUrl);
  const device = await startAgent(scope, grove);
  return { call: groveCommand(grove, device.id), pid: grove.pid, devicePid: device.pid };
}

export const instances: Benchmark = {
  name: "instances",
  summary: "a command across two API processes on one PostgreSQL",
  async run(context) {
    const { scope, rounds = ROUNDS, progress, flushMs } = context;
    progress("starting PostgreSQL, the API processes and their devices");
    const postgres = await startDurablePostgres(scope, flushMs);
    const floor = await startFloorCommand(context, await postgres.createDatabase());
    const pair = await startPair(context, await postgres.createDatabase());
    const measure = async (grove: Subject, inFlight: number, beside = floor) =>
      compare({
        floor: beside,
        grove,
        inFlight,
        rounds,
        ms: ROUND_MS,
        progress: (round) => progress(`${inFlight} in flight, round ${round} of ${rounds}`),
      });
    progress("warming up");
    for (const { call } of [floor, pair]) await warmUp(call);
    await postgres.analyze();
    const rows: Row[] = comparisonRows(await measure(pair, 1), await measure(pair, IN_FLIGHT), 2.1);
    const notes = [
      `${postgres.version}, fsync on${flushMs === undefined ? "" : `, a flush of ${flushMs} ms`}. Medians of ${rounds} rounds in turns, ${ROUND_MS / 1_000} s each side. The processes are the caller's API and the device.`,
    ];
    const one = await startOne(context, await postgres.createDatabase());
    await warmUp(one.call);
    await postgres.analyze();
    const concurrent = await measure(pair, IN_FLIGHT, one);
    rows.push({
      measure: `${IN_FLIGHT} in flight, commands/s, × one API process`,
      floor: concurrent.floor.perSecond,
      grove: concurrent.grove.perSecond,
      ratio: concurrent.ratio.perSecond,
      aim: { of: "ratio", atLeast: 0.9 },
    });
    progress("counting statements");
    const log = await logStatements(scope, await postgres.createDatabase());
    const counted = await startGrove(scope, log.url);
    const { id } = await startAgent(scope, counted);
    const { url } = await startApi(scope, log.url);
    const statements = await statementsOf(log, groveCommand({ ...counted, url }, id));
    return {
      title:
        "agent.execute of list_projects, the caller on one API process and the device on another; floor: that of command, one process",
      rows: [...rows, { measure: "statements a command", grove: statements.length / COUNTED }],
      notes: [
        ...notes,
        `Statements of both API processes as counted on the wire, over ${COUNTED} commands one at a time:`,
        ...summarize(statements, COUNTED),
      ],
    };
  },
};
