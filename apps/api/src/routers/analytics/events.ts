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

/** The condition on those events: of one organization, or of all for a caller who may ask without one. */
export const inRange = ({ organizationId, from, to }: Range): RawBuilder<boolean> => {
  const ofOrganization = organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`;
  return sql`${ofOrganization} and occurred_at >= ${from}::timestamptz and occurred_at < ${to}::timestamptz`;
};

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
