import { fork } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Benchmark, Context, Row } from "../benchmark";
import { type Grove, startAgent, startGrove } from "../grove";
import { type Call, measure, warmUp } from "../load";
import { query, startDurablePostgres } from "../postgres";
import { memoryOf } from "../processes";
import { Scope } from "../scope";
import { median } from "../stats";

const FLEETS = [1, 100, 1_000];
const IDLE = 5_000;
/** Two beats of every device. */
const IDLE_MS = 32_000;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const IN_FLIGHT = 64;

const mebibytes = (pid: number): number => memoryOf(pid)?.now ?? Number.NaN;

/** Makes devices, past the API, and connects them, all from one other process. Returns their ids. */
async function connectFleet(
  { scope }: Context,
  grove: Grove,
  databaseUrl: string,
  count: number,
): Promise<string[]> {
  const made = Array.from({ length: count }, () => ({
    id: randomUUID(),
    key: `grd_${randomBytes(32).toString("base64url")}`,
    journalId: randomUUID(),
  }));
  const hashes = made.map(({ key }) => createHash("sha256").update(key).digest("hex"));
  await query(
    databaseUrl,
    `insert into devices (id, organization_id, owner_id, name, platform, key_prefix, key_hash)
      select id, $1, (select user_id from memberships where organization_id = $1), 'bench', 'linux', 'grd_', hash
      from unnest($2::uuid[], $3::text[]) as made (id, hash)`,
    [grove.organizationId, made.map(({ id }) => id), hashes],
  );
  const fleet = fork(fileURLToPath(new URL("../fleet.ts", import.meta.url)));
  scope.defer(() => fleet.kill("SIGKILL"));
  const failed = once(fleet, "exit").then(() => Promise.reject(new Error("The fleet of devices has ended.")));
  failed.catch(() => {});
  await Promise.race([once(fleet, "message"), failed]);
  fleet.send({ url: grove.url, devices: made });
  await Promise.race([once(fleet, "message"), failed]);
  return made.map(({ id }) => id);
}

/** Commands to one device after the other. */
function commandsTo({ client, organizationId }: Grove, ids: readonly string[]): Call {
  let next = 0;
  return async () => {
    const deviceId = ids[next++ % ids.length] ?? "";
    const input = { organizationId, deviceId, tool: "list_projects", params: {} };
    const { status, error } = await client.agent.execute.mutate(input);
    if (status !== "succeeded") throw new Error(`The command ${status}: ${error?.message}`);
  };
}

async function throughput(
  context: Context,
  databaseUrl: string,
  count: number,
  one: number | undefined,
): Promise<Row[]> {
  const { scope, rounds = ROUNDS, progress } = context;
  progress(`${count} connected`);
  const grove = await startGrove(scope, databaseUrl);
  const call = commandsTo(grove, await connectFleet(context, grove, databaseUrl, count));
  await warmUp(call);
  const samples = [];
  for (let round = 0; round < rounds; round++)
    samples.push(await measure({ call, pid: grove.pid }, IN_FLIGHT, ROUND_MS));
  const perSecond = median(samples.map((sample) => sample.perSecond));
  return [
    {
      measure: `${count} connected, commands/s`,
      grove: perSecond,
      ...(one !== undefined && { floor: one, ratio: perSecond / one }),
    },
    { measure: `${count} connected, p99 ms`, grove: median(samples.map((sample) => sample.p99)) },
  ];
}

/** One API process with many streams on which nothing is to be done. */
async function idle(context: Context, databaseUrl: string): Promise<Row[]> {
  const { scope, progress } = context;
  const grove = await startGrove(scope, databaseUrl);
  await warmUp(() => grove.client.organization.list.query());
  const before = mebibytes(grove.pid);
  progress(`${IDLE} idle`);
  const ids = await connectFleet(context, grove, databaseUrl, IDLE);
  await sleep(IDLE_MS);
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
    { measure: `online of ${IDLE} after two beats`, grove: online },
    { measure: "memory of the API for each of them, KiB", grove: ((connected - before) * 1_024) / IDLE },
    { measure: "memory of the API with all of them, MiB", grove: connected },
    { measure: "a command among them, p50 ms", grove: sample.p50 },
    { measure: "a command among them, p99 ms", grove: sample.p99 },
  ];
}

/** The real agent, with nothing to do. */
async function agentMemory(context: Context, databaseUrl: string): Promise<Row[]> {
  const grove = await startGrove(context.scope, databaseUrl);
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
    const { scope, rounds = ROUNDS } = context;
    /** A part's own processes end with it, so that they do not disturb the next. */
    const alone = async (part: (context: Context, databaseUrl: string) => Promise<Row[]>): Promise<Row[]> => {
      const own = new Scope();
      scope.defer(() => own.close());
      try {
        const { createDatabase } = await startDurablePostgres(own);
        return await part({ ...context, scope: own }, await createDatabase());
      } finally {
        await own.close();
      }
    };
    const rows = await alone(agentMemory);
    rows.push(...(await alone(idle)));
    let one: number | undefined;
    for (const count of FLEETS) {
      const busy = await alone((part, databaseUrl) => throughput(part, databaseUrl, count, one));
      one ??= busy[0]?.grove;
      rows.push(...busy);
    }
    return {
      title:
        "devices that answer beats and commands at once, all from one other process; floor: the same with one device",
      rows,
      notes: [
        `Medians of ${rounds} rounds of ${ROUND_MS / 1_000} s, ${IN_FLIGHT} in flight, one fleet after the other.`,
        `Idle: after ${IDLE_MS / 1_000} s, two beats of each.`,
      ],
    };
  },
};
