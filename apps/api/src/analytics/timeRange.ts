import { GroveError } from "@grove/auth";
import { type Database, isUnknownTimeZone } from "@grove/db";
import type { AnalyticsInterval } from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";

/** The events that a query covers. */
interface Range {
  organizationId?: string;
  from: string;
  to: string;
}

/** Selects one organization's rows, or all rows for site admins. */
const ofOrganization = ({ organizationId }: Pick<Range, "organizationId">): RawBuilder<boolean> =>
  organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`;

const utc = (time: string) => sql`(${time}::timestamptz at time zone 'UTC')`;

/** Selects the events in the range. */
export const inRange = (range: Range): RawBuilder<boolean> =>
  sql`${ofOrganization(range)} and occurred_at >= ${range.from}::timestamptz and occurred_at < ${range.to}::timestamptz`;

/** Selects the rollups whose single events were deleted, so that no event counts twice. */
const isComplete = sql`received_before in (select received_before from analytics_rolled_up)`;

/** Selects the rollups of each day, week or month that overlaps the range. */
export const sumsInRange = (range: Range): RawBuilder<boolean> =>
  sql`${ofOrganization(range)} and ${isComplete} and start < ${utc(range.to)}
    and start + ('1 ' || span)::interval > ${utc(range.from)} and start > ${utc(range.from)} - interval '31 days'`;

/** Selects the rollups that lie completely within the range. */
export const isFullyInRange = ({ from, to }: Range): RawBuilder<boolean> =>
  sql`start >= ${utc(from)} and start + ('1 ' || span)::interval <= ${utc(to)}`;

/**
 * Rejects a range that begins before the oldest stored event.
 * @throws {GroveError} BAD_REQUEST `range_too_old`, with the time of the oldest stored event
 */
export async function requireSingleEvents(db: Kysely<Database>, range: Range): Promise<void> {
  const { rows } = await sql<{ since: string | null }>`select max(received_before) as since
    from analytics_rollups where ${ofOrganization(range)} and ${isComplete} and span = 'month' and event is null`.execute(
    db,
  );
  const since = rows[0]?.since ?? null;
  if (since === null || Date.parse(range.from) >= Date.parse(since)) return;
  throw new GroveError(
    "BAD_REQUEST",
    `Individual events are kept only since ${since}. Earlier events are kept as counts per day, week and month, for analytics.trend and analytics.topEvents. Ask for a range that begins at ${since} or later.`,
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
export async function queryInTimeZone<Row>(
  timeZone: string,
  db: Kysely<Database>,
  query: RawBuilder<Row>,
): Promise<Row[]> {
  try {
    return (await query.execute(db)).rows;
  } catch (error) {
    if (!isUnknownTimeZone(error)) throw error;
    throw new GroveError(
      "BAD_REQUEST",
      `The database does not know the time zone ${timeZone}. Name another one in that region.`,
      { reason: "unknown_time_zone" },
    );
  }
}
