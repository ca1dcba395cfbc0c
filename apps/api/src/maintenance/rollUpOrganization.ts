import type { Database } from "@grove/db";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Step } from "./hourlyWork";
import { inPages, type Page } from "./keysetPages";

/** An organization's events in a partition; null for events without an organization. */
interface Events {
  name: string;
  to: Date;
  /** The next partition, which has late events. */
  next: string | undefined;
  organization: string | null;
}

/** How many rows one statement deletes. */
const SLICE = 2_000;

/**
 * Aggregates an organization's events by day, week and month. Each step is short, however many events, users and event
 * names there are. The first pass reads the events by time, counts them, and records in `analytics_seen` which users
 * had them on which days. The second pass counts users in the order of that table.
 * @returns false if it was interrupted
 */
export async function rollUpOrganization(step: Step, events: Events): Promise<boolean> {
  const { name, next } = events;
  return (
    (await removeLeft(step, events)) &&
    (await inPages(step, FIRST_EVENT, (...page) => addEvents(events, name, ...page))) &&
    (next === undefined ||
      (await inPages(step, FIRST_EVENT, (...page) => noteLate(events, next, ...page)))) &&
    (await inPages(step, FIRST_USER, (...page) => addUsers(events, ...page)))
  );
}

/** Deletes the rows of an interrupted run. */
async function removeLeft(step: Step, events: Events): Promise<boolean> {
  const ownEvents = ofOrganization(events);
  const left = [
    sql`delete from analytics_seen where ctid = any (array(
      select ctid from analytics_seen where ${ownEvents} limit ${sql.lit(SLICE)}))`,
    sql`delete from analytics_rollups where ctid = any (array(
      select ctid from analytics_rollups where received_before = ${events.to} and ${ownEvents} limit ${sql.lit(SLICE)}))`,
  ];
  for (let deleted = SLICE; deleted >= SLICE; ) {
    const isDone = await step(async (trx) => {
      const results = [];
      for (const one of left) results.push(Number((await one.execute(trx)).numAffectedRows));
      deleted = Math.max(...results);
    });
    if (!isDone) return false;
  }
  return true;
}

const ofOrganization = ({ organization }: Pick<Events, "organization">): RawBuilder<boolean> =>
  organization === null ? sql`organization_id is null` : sql`organization_id = ${organization}`;

const sums = sql`analytics_rollups as sums (organization_id, span, start, event, received_before, count, users)`;
const onConflict = sql`on conflict on constraint analytics_rollups_key do update`;

/** A keyset position in the order of time; the id breaks ties. */
interface EventPlace {
  at: string;
  id: string;
}
const FIRST_EVENT: EventPlace = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/** The CTE `page`: a page of events. */
const pageOf = (
  events: Events,
  part: string,
  { at, id }: EventPlace,
  size: number,
  condition: RawBuilder<boolean>,
) => sql`page as materialized (
  select event, user_id, occurred_at, id from ${sql.table(part)}
  where ${ofOrganization(events)} and (occurred_at, id) > (${at}::timestamptz, ${id}::uuid) and ${condition}
  order by organization_id, occurred_at, id limit ${size})`;

/** The CTE `noted`: which users of the page had which events on which days. */
const noted = ({ organization }: Events) => sql`noted as (
  insert into analytics_seen (organization_id, event, user_id, day)
  select distinct ${organization}::uuid, named.event, user_id, date_trunc('day', occurred_at)::date
  from page cross join lateral (values (page.event), ('')) as named (event) where user_id is not null
  on conflict do nothing)`;

const placeOf = (result: { rows: Page<EventPlace>[] }) => result.rows[0];
const last = sql`select occurred_at::text as at, id, (select count(*) from page)::int as read
  from page order by occurred_at desc, id desc limit 1`;

async function addEvents(
  events: Events,
  part: string,
  trx: Transaction<Database>,
  after: EventPlace,
  size: number,
) {
  const { to, organization } = events;
  return placeOf(
    await sql<Page<EventPlace>>`
    with ${pageOf(events, part, after, size, sql`true`)},
    daily as (select event, date_trunc('day', occurred_at) as day, count(*) as count from page group by 1, 2),
    counted as (
      select span, start, event, sum(count)::int as count
      from daily cross join lateral (values
        ('day', day::date), ('week', date_trunc('week', day)::date), ('month', date_trunc('month', day)::date)
      ) as spans (span, start)
      group by grouping sets ((span, start, event), (span, start))),
    added as (
      insert into ${sums}
      select ${organization}::uuid, span, start, event, ${to}::timestamptz, count, 0 from counted
      ${onConflict} set count = sums.count + excluded.count),
    ${noted(events)} ${last}`.execute(trx),
  );
}

/** Records the users of events of this partition's days and weeks that arrived in the next partition. */
async function noteLate(
  events: Events,
  part: string,
  trx: Transaction<Database>,
  after: EventPlace,
  size: number,
) {
  const end = sql`date_trunc('week', ${events.to}::timestamptz + interval '6 days')`;
  return placeOf(
    await sql<Page<EventPlace>>`
    with ${pageOf(events, part, after, size, sql<boolean>`occurred_at < ${end}`)}, ${noted(events)} ${last}`.execute(
      trx,
    ),
  );
}

/** A keyset position in `analytics_seen`. */
interface UserPlace {
  event: string;
  user: string;
  day: string;
}
const FIRST_USER: UserPlace = { event: "", user: FIRST_EVENT.id, day: "-infinity" };

/** Counts a user in a day, week or month when the previous row is of another user, event or span. */
async function addUsers(events: Events, trx: Transaction<Database>, after: UserPlace, size: number) {
  const { to, organization } = events;
  const ownEvents = ofOrganization(events);
  const userKey = ({ event, user, day }: UserPlace) => sql`(${event}::text, ${user}::uuid, ${day}::date)`;
  const { rows } = await sql<Page<UserPlace>>`
    with page as materialized (
      select event, user_id, day from analytics_seen where ${ownEvents} and (event, user_id, day) > ${userKey(after)}
      order by organization_id, event, user_id, day limit ${size}),
    following as (
      select event, day, lag(day, 1, ${after.day}::date) over places as before,
        (event, user_id) = (lag(event, 1, ${after.event}) over places, lag(user_id, 1, ${after.user}::uuid) over places) as same
      from page window places as (order by event, user_id, day)),
    counted as (
      select span, start, event, count(*)::int as users
      from following cross join lateral (values
        ('day', day, true),
        ('week', date_trunc('week', day)::date, not same or date_trunc('week', day) > before),
        ('month', date_trunc('month', day)::date, not same or date_trunc('month', day) > before)
      ) as spans (span, start, is_first)
      where is_first and start < ${to}::timestamptz group by span, start, event),
    added as (
      insert into ${sums}
      select ${organization}::uuid, span, start, nullif(event, ''), ${to}::timestamptz, 0, users from counted
      ${onConflict} set users = sums.users + excluded.users)
    select event, user_id as user, day::text, (select count(*) from page)::int as read
    from page order by event desc, user_id desc, day desc limit 1`.execute(trx);
  return rows[0];
}
