import type { Benchmark } from "../benchmark";
import { startAgent, startApi, startGrove } from "../grove";
import { compare, warmUp } from "../load";
import { startDurablePostgres } from "../postgres";
import { logStatements } from "../statements";
import { COUNTED, comparisonRows, groveCommand, startFloorCommand, statementsOf, summarize } from "./command";

const ROUNDS = 8;
const ROUND_MS = 1_000;
const IN_FLIGHT = 64;

export const instances: Benchmark = {
  name: "instances",
  summary: "a command across two API processes on one PostgreSQL",
  async run(context) {
    const { scope, rounds = ROUNDS, progress } = context;
    progress("starting PostgreSQL, two API processes and a device");
    const postgres = await startDurablePostgres(scope, context.flushMs);
    const floor = await startFloorCommand(context, await postgres.createDatabase());
    const databaseUrl = await postgres.createDatabase();
    const grove = await startGrove(scope, databaseUrl);
    const device = await startAgent(scope, grove);
    const second = await startApi(scope, databaseUrl);
    const call = groveCommand({ ...grove, url: second.url }, device.id);
    progress("warming up");
    for (const side of [floor.call, call]) await warmUp(side);
    await postgres.analyze();
    const measure = (inFlight: number) =>
      compare({
        floor,
        grove: { call, pid: second.pid, devicePid: device.pid },
        inFlight,
        rounds,
        ms: ROUND_MS,
        progress: (round) => progress(`${inFlight} in flight, round ${round} of ${rounds}`),
      });
    const alone = await measure(1);
    const together = await measure(IN_FLIGHT);
    progress("counting statements");
    const log = await logStatements(scope, await postgres.createDatabase());
    const counted = await startGrove(scope, log.url);
    const { id } = await startAgent(scope, counted);
    const { url } = await startApi(scope, log.url);
    const statements = await statementsOf(log, groveCommand({ ...counted, url }, id));
    return {
      title:
        "agent.execute of list_projects, the caller on one API process and the device on another; floor: that of command, one process",
      rows: [
        ...comparisonRows(alone, together, 2.1),
        { measure: "statements a command", grove: statements.length / COUNTED },
      ],
      notes: [
        `${postgres.version}, fsync on. Medians of ${rounds} rounds in turns, ${ROUND_MS / 1_000} s each side. The processes are the caller's API and the device.`,
        `Statements of both API processes as counted on the wire, over ${COUNTED} commands one at a time:`,
        ...summarize(statements, COUNTED),
      ],
    };
  },
};
