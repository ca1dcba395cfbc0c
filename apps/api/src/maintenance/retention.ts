import { deleteExpiredSessions, deleteExpiredTokens } from "@grove/auth";
import type { Database } from "@grove/db";
import { unlistedTool } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { alone } from "../lib/alone";

/** Most rows that one statement deletes, so that none takes longer than any statement may. */
const SLICE = 2_000;
const most = sql.lit(SLICE);

const outdated = [
  // Its index is for this tool alone.
  sql`delete from device_commands where ctid = any (array(
    select ctid from device_commands
    where tool = ${sql.lit(unlistedTool)} and finished_at < now() - interval '10 minutes'
    order by finished_at limit ${most}))`,
  sql`delete from device_commands where ctid = any (array(
    select ctid from device_commands where finished_at < now() - interval '30 days'
    order by finished_at limit ${most}))`,
  sql`delete from tasks where ctid = any (array(
    select ctid from tasks where deleted_at < now() - interval '30 days' limit ${most}))`,
  sql`delete from agent_sessions where ctid = any (array(
    select ctid from agent_sessions where ended_at < now() - interval '30 days' limit ${most}))`,
  sql`delete from integration_events where ctid = any (array(
    select ctid from integration_events
    where created_at < now() - interval '30 days' and status <> 'pending' limit ${most}))`,
  // Their ids are of version 7, so the oldest come first in the index of the primary key.
  sql`delete from analytics_events where ctid = any (array(
    select ctid from analytics_events
    where received_at < now() - interval '400 days' and id < (lpad(to_hex(
      (extract(epoch from now() - interval '400 days') * 1000)::bigint), 12, '0') || '70000000000000000000')::uuid
    limit ${most}))`,
  sql`delete from integration_oauth_states where ctid = any (array(
    select ctid from integration_oauth_states where expires_at < now() limit ${most}))`,
  // The oldest of an organization first, so that what is kept has no holes.
  sql`delete from organization_events where ctid = any (array(
    select event.ctid from (
      select organization_id, max(sequence) as through from organization_events
      where created_at < now() - interval '7 days' group by organization_id) as old
    join organization_events as event on event.organization_id = old.organization_id and sequence <= through
    order by event.organization_id, sequence limit ${most}))`,
];

/**
 * Deletes what has been kept long enough: commands that look at a screen after 10 minutes; settled commands, deleted tasks,
 * ended agent sessions and webhooks' deliveries after 30 days; analytics events after 400 days; authorizations that were not
 * finished in time; and organizations' events after 7 days (with all before them, so that what is kept has no holes). Of a
 * long backlog it deletes a part each time.
 */
export async function deleteOutdated(db: Kysely<Database>): Promise<void> {
  for (const statement of outdated) await alone(db, "cleaning", (trx) => statement.execute(trx));
}

/** Deletes that, and sessions and tokens that have expired; each in a transaction of its own, on one instance at a time. */
export async function clean(db: Kysely<Database>): Promise<void> {
  await alone(db, "cleaning", (trx) => deleteExpiredSessions(trx));
  await alone(db, "cleaning", (trx) => deleteExpiredTokens(trx));
  await deleteOutdated(db);
}
