import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "../benchmark";
import { bearer, encode } from "../calls";
import { type Grove, startGrove } from "../grove";
import { query, startDurablePostgres } from "../postgres";
import { memoryOf } from "../processes";
import { median, quantile } from "../stats";

/** More people than the API serves at a time, each with a caller's maximum of running calls. */
const PEOPLE = 250;
const MINUTES = 30;
const CAPACITY_MS = 10_000;
/** The calls in flight while the capacity is measured. */
const IN_FLIGHT = 64;
const TICK_MS = 10;
/** The most open calls of the generator: with more, it would measure itself. */
const MOST_OPEN = 2_000;
/** The tasks of a list, and the characters of each. Such a list costs the API far more than it costs to ask for it. */
const TASKS = 100;
const CHARACTERS = 1_500;

interface Answer {
  status: number;
  ms: number;
}

/** As a proxy does, it keeps its connections. */
const agent = new Agent({ keepAlive: true, noDelay: true, maxSockets: MOST_OPEN, maxFreeSockets: MOST_OPEN });

/** Makes one call, and reads its answer. The status is 0 if the connection broke. */
const ask = (url: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve) => {
    const began = performance.now();
    const end = (status: number) => resolve({ status, ms: performance.now() - began });
    const sent = request(url, { agent, headers }, (answer) => {
      answer.on("error", () => end(0)).on("end", () => end(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.on("error", () => end(0)).end();
  });

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
    let [open, due, left] = [0, 0, 0];
    const began = performance.now();
    for (let minute = 1; minute <= minutes; minute++) {
      let most = 0;
      for (let last = performance.now(); last - began < minute * 60_000; ) {
        await sleep(TICK_MS);
        const now = performance.now();
        due += (2 * capacity * (now - last)) / 1_000;
        last = now;
        for (; due >= 1; due--) {
          if (open >= MOST_OPEN) left++;
          else {
            open++;
            void next().then((answer) => {
              open--;
              answers.push(answer);
            });
          }
        }
        most = Math.max(most, memoryOf(grove.pid)?.now ?? Number.NaN);
      }
      memory.push(most);
      progress(`minute ${minute}: ${answers.length} answers, ${open} open, ${Math.round(most)} MiB`);
    }
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
        `The generator shares the machine's cores, and leaves out calls beyond ${MOST_OPEN} open ones: ${left}.`,
      ],
    };
  },
};

async function measureCapacity(next: () => Promise<Answer>): Promise<number> {
  const began = performance.now();
  let served = 0;
  const caller = async () => {
    while (performance.now() - began < CAPACITY_MS) if ((await next()).status === 200) served++;
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  return (served / (performance.now() - began)) * 1_000;
}
