import type { Kysely } from "kysely";
import { createPartitions } from "../partitions";
import type { Database } from "../tables";
import { statements } from "./statements";

const events = statements([
  // An event without an organization belongs to the site, and only site admins read it. Partitioned by month. An
  // expired month is aggregated into `analytics_rollups`, and dropped.
  `create table analytics_events (
    id uuid primary key,
    organization_id uuid references organizations (id) on delete cascade,
    user_id uuid references users (id) on delete set null,
    event text not null,
    properties jsonb not null check (jsonb_typeof(properties) = 'object'),
    occurred_at timestamptz not null default now(),
    received_at timestamptz not null default now()
  ) partition by range (id)`,
  // `topEvents`, and `trend` of all events, read this index and not the table.
  `create index analytics_events_time on analytics_events (organization_id, occurred_at)
    include (event, user_id)`,
  // `trend` of chosen events reads this index.
  `create index analytics_events_event on analytics_events (organization_id, event, occurred_at)
    include (user_id)`,
  // `funnel` and `retention` read each user's events of one name, in their order.
  `create index analytics_events_user
    on analytics_events (organization_id, event, user_id, occurred_at, id)`,
  "create index analytics_events_user_id on analytics_events (user_id)",
  // The limit on a user's events without an organization is counted from this index.
  "create index analytics_events_own on analytics_events (user_id) where organization_id is null",
]);

const rollups = statements([
  // One row for each day, week and month in which events happened, and for each event as well as for all (null).
  // `received_before` is the end of the partition that the events were in. So aggregating a partition again changes
  // nothing, and late events get a row of their own.
  `create table analytics_rollups (
    organization_id uuid references organizations (id) on delete cascade,
    span text not null check (span in ('day', 'week', 'month')),
    start date not null,
    event text,
    received_before timestamptz not null,
    count integer not null,
    users integer not null,
    constraint analytics_rollups_key unique nulls not distinct (organization_id, span, start, event, received_before)
  )`,
  // The rollups of an interrupted run are found by this index.
  "create index analytics_rollups_received on analytics_rollups (received_before, organization_id)",

  // Rollups count once their partition is dropped, since aggregating takes many statements.
  "create table analytics_rolled_up (received_before timestamptz primary key)",

  // Which users had which events on which days, while a month of an organization is aggregated. The empty event means
  // all events. Unlogged, since aggregating begins again after a crash.
  `create unlogged table analytics_seen (
    organization_id uuid,
    event text collate "C" not null,
    user_id uuid not null,
    day date not null,
    constraint analytics_seen_key unique nulls not distinct (organization_id, event, user_id, day)
  )`,
]);

/** Events that `analytics.track` records, and the counts of expired ones. */
export async function up(db: Kysely<Database>): Promise<void> {
  await events(db);
  await createPartitions(db, "analytics_events");
  await rollups(db);
}
