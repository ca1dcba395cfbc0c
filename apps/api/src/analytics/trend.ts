import type { AnalyticsInterval } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";
import { inRange, startOf } from "./timeRange";

/** A question for numbers of chosen events, or of all together, in each interval. */
interface Trend {
  organizationId?: string | undefined;
  from: string;
  to: string;
  interval: AnalyticsInterval;
  timeZone: string;
  events?: string[] | undefined;
}

/**
 * A table `single`: the single events of each series and interval, counted one interval after the other. Each is found
 * by the index of an organization's events, and has few enough users to sort. For `series` and `buckets` of the query.
 */
export function countedByIndex(trend: Trend): RawBuilder<unknown> {
  const { timeZone, interval, events } = trend;
  const start = sql`buckets.start`;
  const end = sql`${start} + ${sql.lit(`1 ${interval}`)}::interval`;
  return sql`single as (
    select series.event, start, counted.count, counted.users
    from series cross join buckets cross join lateral (
      select count(*)::int as count, count(distinct user_id)::int as users from analytics_events
      where ${inRange(trend)} and ${events ? sql`analytics_events.event = series.event` : sql`true`}
        and occurred_at >= (${start} at time zone ${timeZone}) - ${SHIFT}
        and occurred_at < ((${end}) at time zone ${timeZone}) + ${SHIFT}
        and ${startOf(trend, sql`occurred_at`)} = ${start}) as counted)`;
}

/** Clocks are set by no more. An interval may begin at a time that they show twice, or never. */
const SHIFT = sql`interval '3 hours'`;

/** Counts the events of all organizations, which no index has in the order of time. */
export function countedTogether(trend: Trend): RawBuilder<unknown> {
  const { events } = trend;
  return sql`dated as (
      select ${events ? sql`event` : sql`null::text as event`}, user_id, ${startOf(trend, sql`occurred_at`)} as start
      from analytics_events where ${inRange(trend)} and ${events ? sql`event = any(${events}::text[])` : sql`true`}),
    single as (
      select event, start, count(*)::int as count, count(distinct user_id)::int as users
      from dated group by event, start)`;
}
