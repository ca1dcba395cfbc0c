import type {
  AnalyticsCohort,
  AnalyticsEventCount,
  AnalyticsFunnelInput,
  AnalyticsFunnelStep,
  AnalyticsRetentionInput,
  AnalyticsSeries,
  AnalyticsTopEventsInput,
  AnalyticsTrendInput,
} from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../services";
import {
  buckets,
  inRange,
  isFullyInRange,
  queryInTimeZone,
  requireSingleEvents,
  startOf,
  sumsInRange,
} from "./timeRange";
import { countedByIndex, countedTogether } from "./trend";

/**
 * Counts events and their users in each interval of a range.
 * @throws {GroveError} BAD_REQUEST `unknown_time_zone`
 */
export function readTrend({ database }: Pick<Services, "database">, input: AnalyticsTrendInput) {
  const { events } = input;
  const wanted = events ? sql`event = any(${events}::text[])` : sql`true`;
  return queryInTimeZone(
    input.timeZone,
    database.slow,
    sql<AnalyticsSeries>`
          with ${buckets(input)},
          series as (select event, place from unnest(${events ?? [null]}::text[]) with ordinality as named (event, place)),
          ${input.organizationId === undefined ? countedTogether(input) : countedByIndex(input)},
          kept as (
            select event, start, count, users from single
            union all
            select event, start, count, users from analytics_rollups
            where span = ${sql.lit(input.interval)} and ${sumsInRange(input)}
              and ${events ? wanted : sql`event is null`}),
          counted as (
            select event, start, sum(count)::int as count, max(users) as users from kept group by event, start)
          select series.event, jsonb_agg(jsonb_build_object(
              'start', buckets.start::date,
              'count', coalesce(counted.count, 0),
              'users', coalesce(counted.users, 0)) order by buckets.start) as points
          from series cross join buckets
            left join counted on counted.event is not distinct from series.event and counted.start = buckets.start
          group by series.event, series.place order by series.place
        `,
  );
}

/** Counts the most frequent events of a range, most frequent first. */
export async function readTopEvents(
  { database }: Pick<Services, "database">,
  input: AnalyticsTopEventsInput,
) {
  // Users are counted in two steps, each user first: `count(distinct …)` would sort all events.
  const { rows } = await sql<AnalyticsEventCount>`
        with each as (
          select event, user_id, count(*) as count from analytics_events where ${inRange(input)} group by event, user_id),
        kept as (
          select event, sum(count)::int as count, count(user_id)::int as users from each group by event
          union all
          select event, case span when 'day' then count else 0 end, users from analytics_rollups
          where event is not null and ${sumsInRange(input)} and (span = 'day' or ${isFullyInRange(input)}))
        select event, sum(count)::int as count, max(users) as users
        from kept group by event order by count desc, event collate "C" limit ${input.limit}
      `.execute(database.slow);
  return rows;
}

/**
 * Counts the users of each step who did all steps before it.
 * @throws {GroveError} BAD_REQUEST `range_too_old`
 */
export async function readFunnel({ database }: Pick<Services, "database">, input: AnalyticsFunnelInput) {
  await requireSingleEvents(database.slow, input);
  // Each user's earliest event after the step before: if any such event leads further, the earliest does.
  const steps = input.events.map(
    (event, at) => sql`${step(at)} (user_id, last_at, last_id) as (
          select distinct on (user_id) user_id, occurred_at, id
          from analytics_events ${at === 0 ? sql`` : sql`join ${step(at - 1)} using (user_id)`}
          where ${inRange(input)} and event = ${event} and user_id is not null
            ${at === 0 ? sql`` : sql`and (occurred_at, id) > (last_at, last_id)`}
          order by user_id, occurred_at, id)`,
  );
  const counts = input.events.map(
    (event, at) =>
      sql`select ${at}::int as at, ${event}::text as event, count(*)::int as users from ${step(at)}`,
  );
  const { rows } = await sql<AnalyticsFunnelStep>`
        with ${sql.join(steps)}, counted as (${sql.join(counts, sql` union all `)})
        select event, users, coalesce(users::float8 / nullif(first_value(users) over (order by at), 0), 0) as conversion
        from counted order by at
      `.execute(database.slow);
  return rows;
}

/**
 * Counts the users of each first interval who came back.
 * @throws {GroveError} BAD_REQUEST `range_too_old` or `unknown_time_zone`
 */
export async function readRetention(
  { database }: Pick<Services, "database">,
  input: AnalyticsRetentionInput,
) {
  await requireSingleEvents(database.slow, input);
  return queryInTimeZone(
    input.timeZone,
    database.slow,
    sql<AnalyticsCohort>`
          with ${buckets(input)},
          begun as (
            select user_id, min(occurred_at) as at from analytics_events
            where ${inRange(input)} and event = ${input.event} and user_id is not null group by user_id),
          cohorts as (select user_id, at, ${startOf(input, sql`at`)} as start from begun),
          returned as (
            select distinct user_id, start, ${startOf(input, sql`occurred_at`)} as period
            from cohorts join analytics_events using (user_id)
            where ${inRange(input)} and event = ${input.returnEvent ?? input.event} and occurred_at >= at),
          sizes as (select start, count(*)::int as users from cohorts group by start),
          counted as (select start, period, count(*)::int as users from returned group by start, period)
          select to_char(buckets.start, 'YYYY-MM-DD') as start, coalesce(sizes.users, 0) as users,
            array(
              select coalesce(counted.users, 0) from buckets as periods
                left join counted on counted.start = buckets.start and counted.period = periods.start
              where periods.start >= buckets.start order by periods.start) as retained
          from buckets left join sizes on sizes.start = buckets.start order by buckets.start
        `,
  );
}

const step = (at: number) => sql.ref(`step${at}`);
