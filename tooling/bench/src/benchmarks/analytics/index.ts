import { createClient } from "@grove/client";
import type { Benchmark, Context, Row } from "../../benchmark";
import { type Grove, startGrove } from "../../grove";
import { query } from "../../postgres";
import { median } from "../../stats";
import { fillEvents, NAMES, prepare, USERS } from "./fill";
import { maintain, startObserved } from "./maintenance";

const MILLION = 1_000_000;
const DAYS = 90;
/** The factor of events and of days between the two measurements. */
const TIMES = 10;
const ROUNDS = 5;
/** Noise of two measurements. */
const NO_WORSE = 1.1;
const MOST_MS = 100;

const until = new Date();
const since = (days: number) => new Date(until.getTime() - days * 86_400_000);

/** The queries, each over the time from then on; those of single events from the time on from which they are kept. */
function questions({ url, sessionToken, organizationId }: Grove, from: Date, kept: Date) {
  const { analytics } = createClient({ apiUrl: url, token: sessionToken });
  const range = { organizationId, from: from.toISOString(), to: until.toISOString() };
  const single = { ...range, from: (from < kept ? kept : from).toISOString() };
  const [event = "", second = "", third = ""] = NAMES;
  return {
    "trend, all events": () => analytics.trend.query(range),
    "trend, three events": () => analytics.trend.query({ ...range, events: [event, second, third] }),
    "trend, by month": () => analytics.trend.query({ ...range, interval: "month" }),
    topEvents: () => analytics.topEvents.query(range),
    "funnel, three steps": () => analytics.funnel.query({ ...single, events: [event, second, third] }),
    "retention, by week": () => analytics.retention.query({ ...single, event }),
  };
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

async function run({ scope, rounds = ROUNDS, flushMs, progress }: Context) {
  const postgres = await startObserved(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const grove = await startGrove(scope, databaseUrl);
  const { organizationId } = grove;
  await prepare(databaseUrl);

  /** The median of each question's times, by its name. */
  const measure = async (days: number) => {
    const kept = await query<Date | null>(
      databaseUrl,
      "select max(received_before) from analytics_rolled_up",
    );
    const medians = new Map<string, number>();
    for (const [range, from] of Object.entries({
      "30 days": since(30),
      [`${DAYS} days`]: since(DAYS),
      all: since(days),
    })) {
      for (const [name, ask] of Object.entries(questions(grove, from, kept ?? since(days)))) {
        const times: number[] = [];
        for (let round = 0; round <= rounds; round++) times.push(await timed(ask));
        // The first round warms up.
        const ms = median(times.slice(1));
        progress(`${name}, ${range}: ${ms.toFixed(0)} ms`);
        medians.set(`${name}, ${range}`, ms);
      }
    }
    return medians;
  };

  progress(`writing ${MILLION} events`);
  await fillEvents(databaseUrl, organizationId, { from: since(DAYS), to: until, count: MILLION });
  const before = await measure(DAYS);
  progress(`writing ${(TIMES - 1) * MILLION} older ones`);
  await fillEvents(databaseUrl, organizationId, {
    from: since(TIMES * DAYS),
    to: since(DAYS),
    count: (TIMES - 1) * MILLION,
  });
  progress("aggregating the expired events");
  const { whole, longest, analyze } = await maintain(scope, databaseUrl, postgres.observed);
  const kept = await query<string>(databaseUrl, "select count(*) from analytics_events");
  progress(`took ${(whole / 1_000).toFixed(0)} s; ${kept} are kept`);
  const after = await measure(TIMES * DAYS);

  const rows: Row[] = [...after].map(([measure, ms]) => {
    const floor = before.get(measure) ?? Number.NaN;
    return { measure, floor, grove: ms, ratio: ms / floor, aim: { of: "ratio", atMost: NO_WORSE } };
  });
  if (longest)
    rows.push({
      measure: "hourly work: longest statement, ms",
      grove: longest.ms,
      aim: { of: "grove", atMost: MOST_MS },
    });
  if (analyze !== undefined) rows.push({ measure: "hourly work: ANALYZE, ms", grove: analyze });
  return {
    title: `ms of queries over ${TIMES} million events in ${TIMES * DAYS} days; floor: over one million in ${DAYS} days`,
    rows,
    notes: [
      `${postgres.version}; ${USERS} users; ${kept} single events are kept, the others were aggregated in ${(whole / 1_000).toFixed(0)} s.`,
      ...(longest ? [`The longest statement: ${longest.text}…`] : []),
    ],
  };
}

/** analytics.trend, topEvents, funnel and retention over one and over ten million events. */
export const analytics: Benchmark = {
  name: "analytics",
  summary: "queries over one and over ten million events, and the aggregation of older ones",
  run,
};
