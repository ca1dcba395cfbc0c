import { createClient } from "@grove/client";
import type { Benchmark, Context, Row } from "../benchmark";
import { type Grove, startGrove } from "../grove";
import { query, startDurablePostgres } from "../postgres";
import { median } from "../stats";

const EVENTS = 1_000_000;
const USERS = 10_000;
const DAYS = 90;
const ROUNDS = 5;
const NAMES = ["opened", "searched", "created", "shared", "closed"];

const until = new Date();
const since = (days: number) => new Date(until.getTime() - days * 86_400_000);

/** A million events of ten thousand users over ninety days, some names more frequent than others. */
async function fillEvents(databaseUrl: string, organizationId: string): Promise<void> {
  await query(
    databaseUrl,
    `insert into users (id, email, name)
      select gen_random_uuid(), 'user-' || n || '@bench.example.com', 'User ' || n from generate_series(1, $1::integer) n`,
    [USERS],
  );
  await query(
    databaseUrl,
    `with people as (
        select array_agg(id) as ids from users where email like '%@bench.example.com')
      insert into analytics_events (id, organization_id, user_id, event, properties, occurred_at)
      select gen_random_uuid(), $1, ids[1 + floor(random() * $2::integer)::integer],
        ($3::text[])[1 + floor(power(random(), 2) * cardinality($3::text[]))::integer], '{"screen": "home"}',
        $4::timestamptz - random() * $5::float8 * interval '1 day'
      from people, generate_series(1, $6::integer)`,
    [organizationId, USERS, NAMES, until, DAYS, EVENTS],
  );
  await query(databaseUrl, "vacuum analyze analytics_events");
}

/** The queries, each over the last `days` days. */
function questions({ url, sessionToken, organizationId }: Grove, days: number) {
  const { analytics } = createClient({ apiUrl: url, token: sessionToken });
  const range = { organizationId, from: since(days).toISOString(), to: until.toISOString() };
  const [event = "", second = "", third = ""] = NAMES;
  return {
    "trend, all events": () => analytics.trend.query(range),
    "trend, three events": () => analytics.trend.query({ ...range, events: [event, second, third] }),
    topEvents: () => analytics.topEvents.query(range),
    "funnel, three steps": () => analytics.funnel.query({ ...range, events: [event, second, third] }),
    "retention, by week": () => analytics.retention.query({ ...range, event }),
  };
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

async function run({ scope, rounds = ROUNDS, flushMs, progress }: Context) {
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const grove = await startGrove(scope, databaseUrl);
  progress(`writing ${EVENTS} events`);
  await fillEvents(databaseUrl, grove.organizationId);

  const rows: Row[] = [];
  for (const days of [DAYS, 7]) {
    // The least that any answer about the range costs: reading each of its events once.
    const readAll = () =>
      query(
        databaseUrl,
        `select count(user_id) from analytics_events
          where organization_id = $1 and occurred_at >= $2 and occurred_at < $3`,
        [grove.organizationId, since(days), until],
      );
    for (const [name, ask] of Object.entries(questions(grove, days))) {
      progress(`${name}, ${days} days`);
      const times: { floor: number; grove: number }[] = [];
      for (let round = 0; round <= rounds; round++)
        times.push({ floor: await timed(readAll), grove: await timed(ask) });
      // The first round warms up.
      const counted = times.slice(1);
      rows.push({
        measure: `${name}, ${days} days, ms`,
        floor: median(counted.map((time) => time.floor)),
        grove: median(counted.map((time) => time.grove)),
        ratio: median(counted.map((time) => time.grove / time.floor)),
      });
    }
  }
  return {
    title: `queries over ${EVENTS} events; floor: one statement that counts the events of the range`,
    rows,
    notes: [`${postgres.version}; ${USERS} users over ${DAYS} days.`],
  };
}

/** analytics.trend, topEvents, funnel and retention over a million events. */
export const analytics: Benchmark = {
  name: "analytics",
  summary: "queries over a million events",
  run,
};
