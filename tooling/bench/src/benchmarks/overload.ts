import { createHash } from "node:crypto";
import type { Benchmark } from "../benchmark";
import { bearer, encode } from "../calls";
import { type Grove, startGrove } from "../grove";
import { answerOf } from "../http";
import { load, offer } from "../load";
import { query, startDurablePostgres } from "../postgres";
import { median, quantile } from "../stats";
import { memoryOf } from "../usage";

/** More people than the API serves at a time, each with a caller's maximum of running calls. */
const PEOPLE = 250;
const MINUTES = 30;
const CAPACITY_MS = 10_000;
/** The calls in flight while the capacity is measured. */
const IN_FLIGHT = 64;
const MINUTE_MS = 60_000;
const MAX_OPEN = 2_000;
/**
 * The number of tasks of a list, and the characters of each. Such a list costs the API far more than the request costs
 * its caller.
 */
const TASKS = 100;
const CHARACTERS = 1_500;

interface Answer {
  status: number;
  ms: number;
}

/** Makes one call, and reads its answer. The status is 0 if the connection broke. */
async function ask(url: string, headers: Record<string, string>): Promise<Answer> {
  const began = performance.now();
  const status = await answerOf(url, { headers }).then(
    (answer) => answer.status,
    () => 0,
  );
  return { status, ms: performance.now() - began };
}

/** Makes people with API keys directly, since their number exceeds the sign-up limit of an address. */
async function makePeople(databaseUrl: string, { organizationId }: Grove): Promise<string[]> {
  const keys = Array.from({ length: PEOPLE }, (_, n) => `grk_bench${String(n).padStart(38, "0")}`);
  const hashes = keys.map((key) => createHash("sha256").update(key).digest("hex"));
  await query(
    databaseUrl,
    `with people as (select gen_random_uuid() as id, n, hash from unnest($2::text[]) with ordinality as of (hash, n)),
      users as (insert into users (id, email, name) select id, 'p' || n || '@example.com', 'P' from people returning id),
      members as (
        insert into memberships (organization_id, user_id, role) select $1::uuid, id, 'member' from users returning user_id)
    insert into api_keys (id, organization_id, user_id, name, prefix, key_hash, scopes)
      select gen_random_uuid(), $1::uuid, user_id, 'bench', 'grk_bench', hash, array['read', 'write']
      from members join people on people.id = user_id`,
    [organizationId, hashes],
  );
  return keys;
}

async function makeTasks({ client, organizationId }: Grove): Promise<void> {
  const description = "a line of text ".repeat(CHARACTERS / 15);
  for (let n = 1; n <= TASKS; n++)
    await client.task.create.mutate({ organizationId, title: `Task ${n}`, description });
}

/** The API at twice the load that it can serve. */
export const overload: Benchmark = {
  name: "overload",
  summary: "twice the calls that can be served, for thirty minutes (or --rounds N minutes)",
  async run({ scope, rounds: minutes = MINUTES, flushMs, progress }) {
    const postgres = await startDurablePostgres(scope, flushMs);
    const databaseUrl = await postgres.createDatabase();
    const grove = await startGrove(scope, databaseUrl);
    const keys = await makePeople(databaseUrl, grove);
    await makeTasks(grove);
    await postgres.analyze();
    const input = encode({ organizationId: grove.organizationId, limit: TASKS });
    const url = `${grove.url}/api/trpc/task.list?input=${input}`;
    let asked = 0;
    const next = () => ask(url, bearer(keys[asked++ % keys.length] ?? ""));

    const capacity = await measureCapacity(next);
    progress(`${Math.round(capacity)} calls/s can be served; now twice as many for ${minutes} minutes`);
    const answers: Answer[] = [];
    const memory: number[] = [];
    const began = performance.now();
    const { open, leftOut } = await offer(async () => answers.push(await next()), {
      perSecond: 2 * capacity,
      ms: minutes * MINUTE_MS,
      maxOpen: MAX_OPEN,
      onTick: (sinceMs) => {
        const minute = Math.min(minutes - 1, Math.floor(sinceMs / MINUTE_MS));
        if (memory.length === minute) progress(`minute ${minute + 1}: ${answers.length} answers`);
        memory[minute] = Math.max(memory[minute] ?? 0, memoryOf(grove.pid)?.now ?? Number.NaN);
      },
    });
    const seconds = (performance.now() - began) / 1_000;
    const served = answers.filter(({ status }) => status === 200).map(({ ms }) => ms);
    const refused = answers.filter(({ status }) => status === 429 || status === 503).map(({ ms }) => ms);
    const [first = Number.NaN] = memory;
    return {
      title: `task.list (${TASKS} tasks) of ${PEOPLE} people, at twice the rate that can be served`,
      rows: [
        { measure: "can be served, calls/s", grove: capacity },
        { measure: "asked, calls/s", grove: (answers.length + open) / seconds },
        { measure: "served, calls/s", grove: served.length / seconds },
        { measure: "  p50 ms", grove: median(served) },
        { measure: "  p99 ms", grove: quantile(served, 0.99), aim: { of: "grove", atMost: 5_000 } },
        { measure: "  longest ms", grove: quantile(served, 1) },
        { measure: "refused with 429 or 503, calls/s", grove: refused.length / seconds },
        { measure: "  p99 ms", grove: quantile(refused, 0.99), aim: { of: "grove", atMost: 2_000 } },
        { measure: "  longest ms", grove: quantile(refused, 1) },
        {
          measure: "answered otherwise, or cut off",
          grove: answers.length - served.length - refused.length,
          aim: { of: "grove", atMost: 0 },
        },
        { measure: "memory in the first minute, MiB", grove: first },
        {
          measure: "  in the last, × the first",
          grove: (memory.at(-1) ?? Number.NaN) / first,
          aim: { of: "grove", atMost: 1.25 },
        },
      ],
      notes: [
        "New connections wait longest: a busy process accepts few of them a second.",
        `The generator shares the machine's cores, and leaves out calls beyond ${MAX_OPEN} open ones: ${leftOut}.`,
      ],
    };
  },
};

/** The calls a second that the API serves while {@link IN_FLIGHT} are in flight. */
async function measureCapacity(next: () => Promise<Answer>): Promise<number> {
  let served = 0;
  const call = async () => {
    if ((await next()).status === 200) served++;
  };
  const { times, perSecond } = await load(call, IN_FLIGHT, CAPACITY_MS);
  return (perSecond * served) / times.length;
}
