import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, Context, Row } from "../benchmark";
import { type Grove, registerDevice, startAgent, startDevice, startGrove } from "../grove";
import { send } from "../http";
import { type Call, type Comparison, compare, type Subject, warmUp } from "../load";
import { startDurablePostgres } from "../postgres";
import { startOwn, temporaryDirectory } from "../programs";
import type { Scope } from "../scope";
import { logStatements, type StatementLog } from "../statements";
import { median } from "../stats";

const ROUNDS = 12;
const ROUND_MS = 1_000;
const IN_FLIGHT = 64;
/** Statements are counted over this many calls. */
export const COUNTED = 50;
const IDLE_WAIT_MS = 3_000;

/** Sends one command to the real device agent and waits for its result, as a caller as light as the floor's. */
export const groveCommand =
  (
    { url, apiKey, organizationId }: Pick<Grove, "url" | "apiKey" | "organizationId">,
    deviceId: string,
  ): Call =>
  async () => {
    const body = { organizationId, deviceId, tool: "list_projects", params: {} };
    const headers = { authorization: `Bearer ${apiKey}` };
    const answer = JSON.parse(await send(`${url}/api/trpc/agent.execute`, { headers, body }));
    if (answer.result.data.status !== "succeeded")
      throw new Error(`The command ended so: ${JSON.stringify(answer)}`);
  };

/** Calls with the stock client, whose own time is included. */
const clientCommand =
  ({ client, organizationId }: Grove, deviceId: string): Call =>
  async () => {
    const input = { organizationId, deviceId, tool: "list_projects", params: {} };
    const { status, error } = await client.agent.execute.mutate(input);
    if (status !== "succeeded") throw new Error(`The command ${status}: ${error?.message}`);
  };

export async function startFloorCommand({ scope }: Context, databaseUrl: string): Promise<Subject> {
  const server = startOwn(scope, new URL("../floors/commandServer.ts", import.meta.url), databaseUrl);
  const url = await server.waitForLine("http://");
  const journal = join(temporaryDirectory(scope), "journal");
  const device = startOwn(scope, new URL("../floors/commandDevice.ts", import.meta.url), url, journal);
  await device.waitForLine("connected");
  const call = async () => {
    const answer = await send(`${url}/submit`, { body: { tool: "list_projects", params: {} } });
    if (answer !== '{"projects":[]}') throw new Error(`The floor answered ${answer}`);
  };
  return { call, pid: server.pid, devicePid: device.pid };
}

/** The time, in milliseconds, that this disk takes to sync a line of a journal: a large part of the floor. */
function fsyncTime(scope: Scope): number {
  const file = openSync(join(temporaryDirectory(scope), "journal"), "a");
  const times = Array.from({ length: 200 }, () => {
    const began = performance.now();
    writeSync(file, "a line of a journal\n");
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return median(times);
}

/** The statements that {@link COUNTED} calls send to the database. */
export async function statementsOf(log: StatementLog, call: Call): Promise<string[]> {
  // The first use of a credential is recorded in the database, so it happens before counting.
  for (let n = 0; n < COUNTED; n++) await call();
  log.take();
  for (let n = 0; n < COUNTED; n++) await call();
  return log.take();
}

/** The statements of a command, and of a caller that waits for an offline device. */
async function countStatements({ scope }: Context, databaseUrl: string) {
  const log = await logStatements(scope, databaseUrl);
  const grove = await startGrove(scope, log.url);
  const statements = await statementsOf(log, groveCommand(grove, await startDevice(scope, grove)));

  const { client, organizationId } = grove;
  const { id: deviceId } = await registerDevice(grove, "never started");
  log.take();
  const { waitEnded } = await client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
    ifOffline: "queue",
    waitMs: IDLE_WAIT_MS,
  });
  if (waitEnded !== "not_claimed") throw new Error(`The wait for an offline device ended ${waitEnded}.`);
  return { statements, whileWaiting: log.take() };
}

/** The statements in order of their first appearance, each with its frequency per call, of `many` calls. */
export function summarize(statements: string[], many: number): string[] {
  const counts = new Map<string, number>();
  for (const text of statements) {
    const brief = text.replace(/\s+/g, " ").trim().slice(0, 90);
    counts.set(brief, (counts.get(brief) ?? 0) + 1);
  }
  return [...counts].map(([brief, count]) => `  ${(count / many).toFixed(2)} × ${brief}`);
}

/** @param atMost the longest time of one command, as a multiple of the floor */
export const comparisonRows = (alone: Comparison, together: Comparison, atMost: number): Row[] => [
  {
    measure: "one at a time, p50 ms",
    floor: alone.floor.p50,
    grove: alone.grove.p50,
    ratio: alone.ratio.p50,
    aim: { of: "ratio", atMost },
  },
  {
    measure: "one at a time, p99 ms",
    floor: alone.floor.p99,
    grove: alone.grove.p99,
    ratio: alone.ratio.p99,
  },
  {
    measure: `${IN_FLIGHT} in flight, commands/s`,
    floor: together.floor.perSecond,
    grove: together.grove.perSecond,
    ratio: together.ratio.perSecond,
    aim: { of: "ratio", atLeast: 0.7 },
  },
  {
    measure: `${IN_FLIGHT} in flight, p99 ms`,
    floor: together.floor.p99,
    grove: together.grove.p99,
    ratio: together.ratio.p99,
  },
  {
    measure: "processor time of the API, ms a command",
    floor: together.floor.cpu,
    grove: together.grove.cpu,
    ratio: together.ratio.cpu,
  },
  {
    measure: "processor time of the device, ms a command",
    floor: together.floor.deviceCpu,
    grove: together.grove.deviceCpu,
    ratio: together.ratio.deviceCpu,
  },
];

export const command: Benchmark = {
  name: "command",
  summary: "a command to a device, from submit to result",
  async run(context) {
    const { scope, rounds = ROUNDS, progress } = context;
    progress("starting PostgreSQL, the API and a device");
    const postgres = await startDurablePostgres(scope, context.flushMs);
    const floor = await startFloorCommand(context, await postgres.createDatabase());
    const grove = await startGrove(scope, await postgres.createDatabase());
    const device = await startAgent(scope, grove);
    const call = groveCommand(grove, device.id);
    const byClient = clientCommand(grove, device.id);
    progress("warming up");
    for (const side of [floor.call, call, byClient]) await warmUp(side);
    await postgres.analyze();

    const measure = (inFlight: number, grovesCall = call) =>
      compare({
        floor,
        grove: { call: grovesCall, pid: grove.pid, devicePid: device.pid },
        inFlight,
        rounds,
        ms: ROUND_MS,
        progress: (round) => progress(`${inFlight} in flight, round ${round} of ${rounds}`),
      });
    const alone = await measure(1);
    const together = await measure(IN_FLIGHT);
    const withClient = await measure(1, byClient);
    progress("counting statements");
    const { statements, whileWaiting } = await countStatements(context, await postgres.createDatabase());
    return {
      title:
        "agent.execute of list_projects, API and device agent in processes of their own; floor: bare node:http, server-sent events and pg, three commits and one fsync of a journal",
      rows: [
        ...comparisonRows(alone, together, 1.6),
        {
          measure: "one at a time by packages/client, p50 ms",
          floor: withClient.floor.p50,
          grove: withClient.grove.p50,
          ratio: withClient.ratio.p50,
        },
        { measure: "statements a command", grove: statements.length / COUNTED },
        {
          measure: `statements of a wait of ${IDLE_WAIT_MS / 1_000} s for an offline device`,
          grove: whileWaiting.length,
        },
      ],
      notes: [
        `${postgres.version}, fsync on; one takes ${fsyncTime(scope).toFixed(2)} ms on this disk. Medians of ${rounds} rounds in turns, ${ROUND_MS / 1_000} s each side.`,
        `Statements as counted on the wire, over ${COUNTED} commands; nothing is read while one is in flight:`,
        ...summarize(statements, COUNTED),
        "Statements of the wait, including the other device's presence and heartbeats; nothing is read until its end:",
        ...summarize(whileWaiting, 1),
      ],
    };
  },
};
