import { GroveError } from "@grove/auth";
import { type Database, isUnknownTimeZone } from "@grove/db";
import type { AnalyticsInterval } from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";

/** The events that a question is about. */
interface Range {
  organizationId?: string;
  from: string;
  to: string;
}

/** One organization's rows, or those of all for a caller who may ask without one. */
const ofOrganization = ({ organizationId }: Pick<Range, "organizationId">): RawBuilder<boolean> =>
  organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`;

const utc = (time: string) => sql`(${time}::timestamptz at time zone 'UTC')`;

/** The condition on those events. */
export const inRange = (range: Range): RawBuilder<boolean> =>
  sql`${ofOrganization(range)} and occurred_at >= ${range.from}::timestamptz and occurred_at < ${range.to}::timestamptz`;

/** The condition on sums that they count: the events themselves are gone. */
const areComplete = sql`received_before in (select received_before from analytics_rolled_up)`;

/** The condition on sums of such events: of each day, week or month that the range touches. */
export const sumsInRange = (range: Range): RawBuilder<boolean> =>
  sql`${ofOrganization(range)} and ${areComplete} and start < ${utc(range.to)}
    and start + ('1 ' || span)::interval > ${utc(range.from)} and start > ${utc(range.from)} - interval '31 days'`;

/** The condition on such a sum that all of it lies in the range. */
export const areWhole = ({ from, to }: Range): RawBuilder<boolean> =>
  sql`start >= ${utc(from)} and start + ('1 ' || span)::interval <= ${utc(to)}`;

/**
 * Refuses a question about single events that begins before those that are kept.
 * @throws {GroveError} BAD_REQUEST `range_too_old`, with the time from which on they are kept
 */
export async function needSingleEvents(db: Kysely<Database>, range: Range): Promise<void> {
  const { rows } = await sql<{ since: string | null }>`select max(received_before) as since
    from analytics_rollups where ${ofOrganization(range)} and ${areComplete} and span = 'month' and event is null`.execute(
    db,
  );
  const since = rows[0]?.since ?? null;
  if (since === null || Date.parse(range.from) >= Date.parse(since)) return;
  throw new GroveError(
    "BAD_REQUEST",
    `Single events are kept from ${since} on. Of earlier ones only their number in each day, week and month is known, which analytics.trend and analytics.topEvents count. Ask for a range that begins at ${since} or later.`,
    { reason: "range_too_old", details: { since } },
  );
}

interface Calendar {
  interval: AnalyticsInterval;
  timeZone: string;
}

/** The beginning of the interval that a time lies in, by the time zone's clocks. */
export const startOf = ({ interval, timeZone }: Calendar, time: RawBuilder<unknown>): RawBuilder<string> =>
  sql`date_trunc(${sql.lit(interval)}, ${time} at time zone ${timeZone})`;

/** A table `buckets` with the `start` of each interval that the range touches. */
export const buckets = (input: Range & Calendar): RawBuilder<unknown> => {
  const last = sql`${input.to}::timestamptz - interval '1 microsecond'`;
  return sql`buckets as (select generate_series(
    ${startOf(input, sql`${input.from}::timestamptz`)},
    ${startOf(input, sql`(${last})`)},
    ${sql.lit(`1 ${input.interval}`)}::interval) as start)`;
};

/** Runs a query in a time zone that the caller named. */
export async function askIn<Row>(
  timeZone: string,
  db: Kysely<Database>,
  question: RawBuilder<Row>,
): Promise<Row[]> {
  try {
    return (await question.execute(db)).rows;
  } catch (error) {
    if (!isUnknownTimeZone(error)) throw error;
    throw new GroveError(
      "BAD_REQUEST",
      `The database does not know the time zone ${timeZone}. Name another one in that region.`,
      { reason: "unknown_time_zone" },
    );
  }
}
