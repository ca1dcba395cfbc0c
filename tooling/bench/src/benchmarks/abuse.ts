import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark, Context, Row } from "../benchmark";
import { bearer, encode, queriesUrl } from "../calls";
import { type Grove, signUpTo, startApi } from "../grove";
import { query, startDurablePostgres } from "../postgres";
import { memoryOf } from "../processes";
import { median } from "../stats";

const UNREAD_STREAMS = 700;
const LARGE_TASKS = 1_000;
const EVENTS = 120;
const ANALYTICS_EVENTS = 1_000_000;
const STALLED_BODIES = 1_000;
/** The longest time to watch an attack, and below it the times for attacks that the server should end. */
const WATCH_MS = 25_000;
const UNREAD_WATCH_MS = 45_000;
const STALLED_WATCH_MS = 80_000;
const SAMPLE_MS = 250;

/** The maximum length of a description. */
const LONGEST = 50_000;

interface World {
  attacker: Grove;
  innocent: Grove;
}

interface Attack {
  name: string;
  /** Replaces the usual time to watch the attack. */
  watchMs?: number;
  prepare?(databaseUrl: string, world: World): Promise<void>;
  /** Attacks, and returns a summary of the server's answers. */
  run(world: World, until: AbortSignal): Promise<string>;
}

/** Many calls of one procedure in one GET. */
async function batchOf(grove: Grove, procedure: string, calls: number, input: object) {
  const answer = await fetch(queriesUrl(grove, procedure, calls, input), { headers: bearer(grove.apiKey) });
  await answer.arrayBuffer();
  return `${answer.status}`;
}

const settled = async (work: Promise<string>[]) =>
  (await Promise.all(work.map((each) => each.catch((error: Error) => error.message)))).join(", ");

/** Opens connections, sends the text, reads nothing, and returns how many the server has ended. */
async function holdOpen(url: string, total: number, text: string, until: AbortSignal): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let ended = 0;
  for (let n = 0; n < total && !until.aborted; n++) {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined).on("close", () => ended++);
    socket.pause();
    socket.write(text.replace("HOST", hostname));
    sockets.push(socket);
    if (n % 50 === 49) await sleep(20);
  }
  while (!until.aborted) await sleep(SAMPLE_MS);
  const before = ended;
  // A socket that is not read does not notice its end.
  for (const socket of sockets) socket.resume();
  await sleep(1_000);
  const cut = ended;
  for (const socket of sockets) socket.destroy();
  return `${cut - before} of ${total} ended by the server`;
}

const attacks: Attack[] = [
  {
    name: "a GET of 40 × task.list, twice",
    prepare: (databaseUrl, { attacker }) => fillTasks(databaseUrl, attacker.organizationId),
    run: ({ attacker }) => {
      const { organizationId } = attacker;
      return settled([1, 2].map(() => batchOf(attacker, "task.list", 40, { organizationId })));
    },
  },
  {
    name: "three GETs of 40 × analytics.trend",
    prepare: (databaseUrl, { attacker }) => fillAnalytics(databaseUrl, attacker.organizationId),
    run: ({ attacker }) => {
      const to = new Date();
      const range = {
        organizationId: attacker.organizationId,
        from: new Date(to.getTime() - 364 * 86_400_000).toISOString(),
        to: to.toISOString(),
      };
      return settled([1, 2, 3].map(() => batchOf(attacker, "analytics.trend", 40, range)));
    },
  },
  {
    name: `${STALLED_BODIES} bodies that never come`,
    watchMs: STALLED_WATCH_MS,
    run: ({ attacker }, until) =>
      holdOpen(
        attacker.url,
        STALLED_BODIES,
        "POST /api/trpc/task.create HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{",
        until,
      ),
  },
  {
    name: `${UNREAD_STREAMS} unread streams`,
    watchMs: UNREAD_WATCH_MS,
    prepare: (databaseUrl, { attacker }) => fillEvents(databaseUrl, attacker.organizationId),
    run: ({ attacker }, until) => {
      const input = encode({ organizationId: attacker.organizationId, lastEventId: "0" });
      const head = `GET /api/trpc/task.watch?input=${input} HTTP/1.1\r\nhost: HOST\r\n`;
      return holdOpen(
        attacker.url,
        UNREAD_STREAMS,
        `${head}authorization: Bearer ${attacker.apiKey}\r\n\r\n`,
        until,
      );
    },
  },
];

const fillTasks = (databaseUrl: string, organizationId: string) =>
  query<void>(
    databaseUrl,
    `insert into tasks (id, organization_id, slug, title, description, search_text, status, priority, labels, created_at)
      select gen_random_uuid(), $1, 'large-' || n, 'Large', repeat('x', $2), 'large', 'todo', 'none', '{}',
        now() - n * interval '1 minute'
      from generate_series(1, $3::integer) n`,
    [organizationId, LONGEST, LARGE_TASKS],
  );

const fillAnalytics = (databaseUrl: string, organizationId: string) =>
  query<void>(
    databaseUrl,
    `insert into analytics_events (id, organization_id, event, properties, occurred_at)
      select gen_random_uuid(), $1, 'opened', '{}', now() - random() * interval '360 days'
      from generate_series(1, $2::integer)`,
    [organizationId, ANALYTICS_EVENTS],
  );

async function fillEvents(databaseUrl: string, organizationId: string): Promise<void> {
  await query(
    databaseUrl,
    `insert into organization_events (organization_id, sequence, topic, payload)
      select $1, n, 'task', jsonb_build_object('type', 'deleted', 'id', gen_random_uuid(), 'text', repeat('x', $2))
      from generate_series(1, $3::integer) n`,
    [organizationId, LONGEST, EVENTS],
  );
  await query(
    databaseUrl,
    `insert into organization_event_counters (organization_id, last_sequence) values ($1, $2)
      on conflict (organization_id) do update set last_sequence = excluded.last_sequence`,
    [organizationId, EVENTS],
  );
}

/** Runs the attack, and measures how another account is answered meanwhile. */
async function watch(context: Context, { name, watchMs = WATCH_MS, prepare, run }: Attack): Promise<Row[]> {
  const { scope, progress } = context;
  progress(`${name}: preparing`);
  const postgres = await startDurablePostgres(scope, context.flushMs);
  const databaseUrl = await postgres.createDatabase();
  const { url, pid } = await startApi(scope, databaseUrl);
  const [attacker, innocent] = [await signUpTo({ url, pid }), await signUpTo({ url, pid })];
  const world: World = { attacker, innocent };
  await prepare?.(databaseUrl, world);
  await postgres.analyze();
  // A request as from another account's page.
  const ask = async () => {
    const began = performance.now();
    const input = encode({ organizationId: innocent.organizationId, limit: 50 });
    const answered = await fetch(`${url}/api/trpc/task.list?input=${input}`, {
      headers: bearer(innocent.apiKey),
      signal: AbortSignal.timeout(WATCH_MS),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status === 200;
      },
      () => false,
    );
    return { ms: performance.now() - began, answered };
  };
  await ask();
  const before = memoryOf(pid)?.now;

  progress(`${name}: attacking`);
  const over = new AbortController();
  const longest = setTimeout(() => over.abort(), watchMs);
  let said: string | undefined;
  const began = performance.now();
  const attack = run(world, over.signal).then((outcome) => {
    said = outcome;
  });
  const asked: { ms: number; answered: boolean }[] = [];
  let memory = 0;
  let died = false;
  while (said === undefined && !over.signal.aborted && !died) {
    asked.push(await ask());
    const now = memoryOf(pid)?.now;
    died = before !== undefined && (now === undefined || Number.isNaN(now));
    memory = Math.max(memory, now ?? 0);
    await sleep(SAMPLE_MS);
  }
  clearTimeout(longest);
  over.abort();
  await Promise.race([attack, sleep(5_000)]);
  progress(
    `${name}: the attacker was answered ${said ?? "nothing yet"}${died ? "; THE PROCESS HAS ENDED" : ""}`,
  );
  await scope.close();
  const times = asked.map(({ ms }) => ms);
  return [
    { measure: `${name}: another account, p50 ms`, grove: median(times) },
    { measure: "  the longest", grove: Math.max(...times), aim: { of: "grove", atMost: 2_000 } },
    {
      measure: "  refused or not answered",
      grove: asked.filter(({ answered }) => !answered).length,
      aim: { of: "grove", atMost: 0 },
    },
    {
      measure: "  memory at most, MiB",
      grove: died ? Number.POSITIVE_INFINITY : memory,
      aim: { of: "grove", atMost: 1_024 },
    },
    { measure: "  over after, s", grove: (performance.now() - began) / 1_000 },
  ];
}

/** The harm that one ordinary account can do to others. */
export const abuse: Benchmark = {
  name: "abuse",
  summary: "the effect of one account's excessive requests on others",
  async run(context) {
    const rows: Row[] = [];
    for (const attack of attacks) rows.push(...(await watch(context, attack)));
    return {
      title: "one account attacks, and another lists its tasks meanwhile",
      rows,
      notes: [
        `Each attack has its own API and is watched for at most ${WATCH_MS / 1_000} s; unread streams for`,
        `${UNREAD_WATCH_MS / 1_000} s and bodies for ${STALLED_WATCH_MS / 1_000} s, by which time the server has ended them.`,
      ],
    };
  },
};
