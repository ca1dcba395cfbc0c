import { type Database, firstIdAt } from "@grove/db";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { nextSize, type Step } from "./progress";

/** An organization's events in a part of the table; null for events of none. */
interface Events {
  name: string;
  to: Date;
  /** The end of the next part. */
  until: Date;
  organization: string | null;
}

/** A week that begins in one part may end so much later. */
const LONGEST_SPAN = sql`interval '7 days'`;
/** How many events, and how many users, one statement reads. */
const EVENTS = { least: 500, most: 20_000 };
const USERS = { least: 1, most: 5_000 };

/** The day, week and month that a day is in. */
const spans = sql.join(
  ["day", "week", "month"].map((span) => sql`(${sql.lit(span)}, date_trunc(${sql.lit(span)}, day)::date)`),
);

/**
 * Adds up an organization's events by day, week and month, in steps that each take a moment however many events there
 * are: first how many of each event, some thousand at a time, then of how many users, some users at a time.
 * @returns false if it had to end before
 */
export async function rollUp(step: Step, events: Events): Promise<boolean> {
  // An interrupted run may have left sums.
  const isBegun = await step((trx) =>
    sql`delete from analytics_rollups where ${ofOrganization(events)} and received_before = ${events.to}`.execute(
      trx,
    ),
  );
  return (
    isBegun &&
    (await inPages(step, EVENTS, "-infinity", (trx, after, size) => addCounts(trx, events, after, size))) &&
    (await inPages(step, USERS, FIRST_USER, (trx, after, size) => addUsers(trx, events, after, size)))
  );
}

/** Before every user's id. */
const FIRST_USER = "00000000-0000-0000-0000-000000000000";

async function inPages(
  step: Step,
  range: { least: number; most: number },
  first: string,
  page: (trx: Transaction<Database>, after: string, size: number) => Promise<string | null>,
): Promise<boolean> {
  let after: string | null = first;
  for (let size = range.least; after !== null; ) {
    const current: string = after;
    const isDone = await step(async (trx) => {
      const began = performance.now();
      after = await page(trx, current, size);
      size = nextSize(size, performance.now() - began, range);
    });
    if (!isDone) return false;
  }
  return true;
}

const ofOrganization = ({ organization }: Events): RawBuilder<boolean> =>
  organization === null ? sql`organization_id is null` : sql`organization_id = ${organization}`;

const columns = sql`(organization_id, span, start, event, received_before, count, users)`;
const onConflict = sql`on conflict on constraint analytics_rollups_key do update`;

async function addCounts(trx: Transaction<Database>, events: Events, after: string, size: number) {
  const { name, to, organization } = events;
  const { rows } = await sql<{ reached: string | null }>`
    with page as (
      select event, occurred_at from ${sql.table(name)}
      where ${ofOrganization(events)} and occurred_at > ${after}::timestamptz
      order by organization_id, occurred_at fetch first ${sql.lit(size)} rows with ties),
    daily as (select event, date_trunc('day', occurred_at) as day, count(*) as count from page group by 1, 2),
    counted as (
      select span, start, event, sum(count)::int as count
      from daily cross join lateral (values ${spans}) as spans (span, start)
      group by grouping sets ((span, start, event), (span, start))),
    added as (
      insert into analytics_rollups as sums ${columns}
      select ${organization}::uuid, span, start, event, ${to}::timestamptz, count, 0 from counted
      ${onConflict} set count = sums.count + excluded.count)
    select max(occurred_at)::text as reached from page`.execute(trx);
  return rows[0]?.reached ?? null;
}

/**
 * Counts the users over all that happened in these days, also if it came with the next part. For each user and event it
 * looks up one event a day, so that a user with very many costs no more than others.
 */
async function addUsers(trx: Transaction<Database>, events: Events, after: string, size: number) {
  const { name, to, until, organization } = events;
  const own = ofOrganization(events);
  /** The next user who has any of the events. */
  const userAfter = (last: RawBuilder<unknown>) => sql`(
    select one.user_id from names cross join lateral (
      select user_id from ${sql.table(name)}
      where ${own} and event = names.event and user_id > ${last}
      order by organization_id, event, user_id limit 1) as one
    order by one.user_id limit 1)`;
  /** The first day with an event of a user. */
  const dayOf = (of: RawBuilder<unknown>, since: RawBuilder<unknown>) => sql`(
    select date_trunc('day', occurred_at) as day from analytics_events
    where ${own} and event = ${of}.event and user_id = ${of}.user_id and occurred_at >= ${since}
      and occurred_at < ${to}::timestamptz + ${LONGEST_SPAN} and id < ${sql.lit(firstIdAt(until))}
    order by organization_id, event, user_id, occurred_at limit 1)`;
  const { rows } = await sql<{ reached: string | null }>`
    with recursive names as materialized (
      select event from analytics_rollups
      where ${own} and received_before = ${to} and span = 'month' and event is not null group by event),
    people (user_id) as (
      select ${userAfter(sql`${after}::uuid`)}
      union all
      select ${userAfter(sql`people.user_id`)} from people where people.user_id is not null),
    page as materialized (select user_id from people where user_id is not null limit ${sql.lit(size)}),
    pairs as (select event, user_id from page cross join names),
    seen (event, user_id, day) as (
      select pairs.event, pairs.user_id, one.day
      from pairs cross join lateral ${dayOf(sql`pairs`, sql`'-infinity'::timestamptz`)} as one
      union all
      select seen.event, seen.user_id, one.day
      from seen cross join lateral ${dayOf(sql`seen`, sql`seen.day + interval '1 day'`)} as one),
    counted as (
      select span, start, event, count(distinct user_id)::int as users
      from seen cross join lateral (values ${spans}) as spans (span, start)
      where start < ${to}::timestamptz group by grouping sets ((span, start, event), (span, start))),
    added as (
      insert into analytics_rollups as sums ${columns}
      select ${organization}::uuid, span, start, event, ${to}::timestamptz, 0, users from counted
      ${onConflict} set users = sums.users + excluded.users)
    select max(user_id::text) as reached from page`.execute(trx);
  return rows[0]?.reached ?? null;
}
