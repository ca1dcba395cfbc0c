import { query } from "../../postgres";

export const USERS = 10_000;
/** The first ones are more frequent. */
export const NAMES = ["opened", "searched", "created", "shared", "closed"];

const month = (year: number, index: number) => new Date(Date.UTC(year, index));
const next = (start: Date) => month(start.getUTCFullYear(), start.getUTCMonth() + 1);

/** The months that a range touches. */
function monthsOf(from: Date, to: Date): Date[] {
  const months: Date[] = [];
  for (let at = month(from.getUTCFullYear(), from.getUTCMonth()); at < to; at = next(at)) months.push(at);
  return months;
}

/** Makes users, and a table as if it had been partitioned for many months. */
export async function prepare(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `insert into users (id, email, name)
      select gen_random_uuid(), 'user-' || n || '@bench.example.com', 'User ' || n from generate_series(1, $1::integer) n`,
    [USERS],
  );
  await query(databaseUrl, "drop table analytics_events_before");
}

/**
 * Makes events of an organization, evenly spread over a time, in the partitions of their months. Each has an id of
 * version 7. All indexes and statistics are up to date.
 */
export async function fillEvents(
  databaseUrl: string,
  organizationId: string,
  { from, to, count }: { from: Date; to: Date; count: number },
): Promise<void> {
  const seconds = (to.getTime() - from.getTime()) / 1_000 / count;
  for (const start of monthsOf(from, to)) {
    const end = next(start);
    const first = new Date(Math.max(start.getTime(), from.getTime()));
    const last = new Date(Math.min(end.getTime(), to.getTime()));
    const part = `analytics_events_${start.toISOString().slice(0, 10).replaceAll("-", "_")}`;
    const isNew = await query<boolean>(databaseUrl, "select to_regclass($1) is null", [part]);
    if (isNew)
      await query(
        databaseUrl,
        `create table ${part} (like analytics_events including defaults including constraints)`,
      );
    await query(
      databaseUrl,
      `with people as materialized (select array_agg(id) as ids from users where email like '%@bench.example.com')
        insert into ${part} (id, organization_id, user_id, event, properties, occurred_at, received_at)
        select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
            || '8' || substr(md5(n::text), 4, 15))::uuid,
          $1, ids[1 + floor(random() * $2::integer)::integer],
          ($3::text[])[1 + floor(power(random(), 2) * cardinality($3::text[]))::integer], '{"screen": "home"}', at, at
        from people, (
          select n, $4::timestamptz + (n + random()) * $5::float8 * interval '1 second' as at
          from generate_series(0, $6::integer - 1) as n) as times`,
      [
        organizationId,
        USERS,
        NAMES,
        first,
        seconds,
        Math.floor((last.getTime() - first.getTime()) / 1_000 / seconds),
      ],
    );
    // Indexes are created last, which is faster than updating them.
    if (isNew)
      await query(
        databaseUrl,
        `alter table analytics_events attach partition ${part}
          for values from ('${firstIdAt(start)}') to ('${firstIdAt(end)}')`,
      );
    await query(databaseUrl, `vacuum analyze ${part}`);
  }
}

/** The lowest id of a time, as in the partitions' bounds. */
function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
