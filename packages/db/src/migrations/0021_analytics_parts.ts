import { type Kysely, sql } from "kysely";
import { keepInParts } from "./parts";

/** Analytics events are kept by month, and what is left of a month that is dropped: how many there were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keepInParts(db, "analytics_events", "month");
  // One row for each day, week and month in which events happened, and for each event as well as for all (null).
  // `received_before` is the end of the part that they came in. Thus adding up a part again changes nothing, and what
  // came late is a row of its own.
  await sql`create table analytics_rollups (
    organization_id uuid references organizations (id) on delete cascade,
    span text not null check (span in ('day', 'week', 'month')),
    start date not null,
    event text,
    received_before timestamptz not null,
    count integer not null,
    users integer not null,
    constraint analytics_rollups_key unique nulls not distinct (organization_id, span, start, event, received_before)
  )`.execute(db);
}
