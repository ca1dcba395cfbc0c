import { type RawBuilder, sql } from "kysely";

interface QuietHours {
  /** Times of day, or null. */
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
  zone: RawBuilder<unknown>;
}

/**
 * SQL for a time or, within quiet hours, their end. The database converts between local time and UTC, also on days on
 * which the clocks change: it uses the second occurrence of a repeated time.
 */
export const afterQuietHours = (time: RawBuilder<unknown>, { from, to, zone }: QuietHours) =>
  sql<string>`(select case
      when ${from} < ${to} and local::time >= ${from} and local::time < ${to}
        then (local::date + ${to}) at time zone ${zone}
      when ${from} > ${to} and local::time >= ${from} then (local::date + 1 + ${to}) at time zone ${zone}
      when ${from} > ${to} and local::time < ${to} then (local::date + ${to}) at time zone ${zone}
      else at end
    from (select ${time} as at, ${time} at time zone ${zone} as local) as moment)`;
