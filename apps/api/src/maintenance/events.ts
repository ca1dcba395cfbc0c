import { type Database, dropPartition, firstIdAt, type Partition, partitionsOf } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { alone } from "../lib/alone";
import { unlessLocked } from "./unlessLocked";

const DAY_MS = 86_400_000;
/** A week that begins in one part may end so much later. */
const LONGEST_SPAN = sql`interval '7 days'`;

/**
 * Adds up the analytics events of each month that is older than so many days, and then drops it. One organization at a
 * time, so that no statement takes long. If it is interrupted, the next run begins that month again: each sum
 * replaces its earlier one.
 */
export async function rollUpEvents(db: Kysely<Database>, days: number, now = new Date()): Promise<void> {
  for (const part of await partitionsOf(db, "analytics_events")) {
    if (part.to.getTime() > now.getTime() - days * DAY_MS) break;
    if (!(await rollUp(db, part))) return;
    if (!(await unlessLocked(db, (trx) => dropPartition(trx, part)))) return;
  }
}

/** Returns false if another instance is at work. */
async function rollUp(db: Kysely<Database>, part: Partition): Promise<boolean> {
  for (let last: string | null = null; ; ) {
    const organization: string | null = await nextOrganization(db, part, last);
    const isDone = await alone(db, "cleaning", async (trx) => {
      await rollUpOrganization(trx, part, organization);
      return true;
    });
    if (!isDone) return false;
    if (organization === null) return true;
    last = organization;
  }
}

/** The organizations that have events in a part, one after the other; null comes last, for events of none. */
async function nextOrganization(
  db: Kysely<Database>,
  { name }: Partition,
  last: string | null,
): Promise<string | null> {
  const after = last === null ? sql`organization_id is not null` : sql`organization_id > ${last}`;
  const { rows } = await sql<{ organization_id: string }>`select organization_id from ${sql.table(name)}
    where ${after} order by organization_id limit 1`.execute(db);
  return rows[0]?.organization_id ?? null;
}

/**
 * Counts an organization's events in a part, by day, week and month. Users are counted over all that happened in these,
 * also if it came with the next part.
 */
async function rollUpOrganization(
  db: Kysely<Database>,
  { name, to }: Partition,
  organization: string | null,
): Promise<void> {
  const ofOrganization =
    organization === null ? sql`organization_id is null` : sql`organization_id = ${organization}`;
  const spans = sql.join(
    ["day", "week", "month"].map((span) => sql`(${sql.lit(span)}, date_trunc(${sql.lit(span)}, day)::date)`),
  );
  await sql`
    with found as (
      select event, user_id, occurred_at, true as here from ${sql.table(name)} where ${ofOrganization}
      union all
      select event, user_id, occurred_at, false from analytics_events
      where ${ofOrganization} and id >= ${firstIdAt(to)} and occurred_at < ${to}::timestamptz + ${LONGEST_SPAN}),
    daily as (
      select event, user_id, date_trunc('day', occurred_at) as day, count(*) filter (where here) as count
      from found group by 1, 2, 3),
    counted as (
      select span, start, event, sum(count)::int as count, count(distinct user_id)::int as users
      from daily cross join lateral (values ${spans}) as spans (span, start)
      group by grouping sets ((span, start, event), (span, start)))
    insert into analytics_rollups (organization_id, span, start, event, received_before, count, users)
    select ${organization}::uuid, span, start, event, ${to}::timestamptz, count, users from counted where count > 0
    on conflict on constraint analytics_rollups_key
      do update set count = excluded.count, users = greatest(analytics_rollups.users, excluded.users)
  `.execute(db);
}
