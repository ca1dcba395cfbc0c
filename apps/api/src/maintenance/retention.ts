import { deleteExpiredSessions, deleteExpiredTokens } from "@grove/auth";
import { type Database, defaultPartition } from "@grove/db";
import { UNLISTED_TOOL } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { deleteExpiredPairings } from "../devices/pairings";
import { withAdvisoryLock } from "../lib/advisoryLock";
import { lifetimes } from "../lib/lifetimes";
import { type Step, stepsIn } from "./hourlyWork";

/** The most rows that one statement deletes, without those that the delete cascades to. */
const SLICE = 500;
const most = sql.lit(SLICE);

/** Statements for data that is kept for minutes. Readers filter expired rows, so the delete may be late. */
const brief = [
  // A partial index serves this tool only.
  sql`delete from device_commands where id = any (array(
    select id from device_commands
    where tool = ${sql.lit(UNLISTED_TOOL)} and finished_at < now() - ${lifetimes.screen}
    order by finished_at limit ${most}))`,
  // A report may come after its command was settled.
  sql`update device_commands set result = null, late_result = null, result_removed_at = finished_at + ${lifetimes.diff}
    where id = any (array(
    select id from device_commands
    where tool = 'get_workspace_diff' and (result is not null or late_result is not null)
      and finished_at < now() - ${lifetimes.diff}
    order by finished_at limit ${most}))`,
];

/** Statements for data that is kept for days. */
const outdated = [
  // The others are dropped with their weekly partition; see `dropCommands.ts`.
  sql`delete from ${sql.table(defaultPartition("device_commands"))} where id = any (array(
    select id from ${sql.table(defaultPartition("device_commands"))} where finished_at < now() - ${lifetimes.command}
    order by finished_at limit ${most}))`,
  sql`delete from command_keys where ctid = any (array(
    select ctid from command_keys where created_at < now() - ${lifetimes.idempotencyKey}
    order by created_at limit ${most}))`,
  sql`delete from tasks where ctid = any (array(
    select ctid from tasks where deleted_at < now() - ${lifetimes.deletedTask} limit ${most}))`,
  sql`delete from agent_sessions where ctid = any (array(
    select ctid from agent_sessions where ended_at < now() - ${lifetimes.agentSession} limit ${most}))`,
  sql`delete from integration_events where ctid = any (array(
    select ctid from integration_events
    where created_at < now() - ${lifetimes.delivery} and status <> 'pending' limit ${most}))`,
  sql`delete from api_instances where lease_until < now() - ${lifetimes.instance}`,
  sql`delete from integration_oauth_states where ctid = any (array(
    select ctid from integration_oauth_states where expires_at < now() limit ${most}))`,
  // The oldest of an organization first, so that its remaining events have no gap.
  sql`delete from organization_events where ctid = any (array(
    select event.ctid from (
      select organization_id, max(sequence) as through from (
        select organization_id, sequence from organization_events
        where created_at < now() - ${lifetimes.organizationEvent} order by created_at limit ${most}) as page
      group by organization_id) as old
    join organization_events as event on event.organization_id = old.organization_id and event.sequence <= through
    order by event.organization_id, event.sequence limit ${most}))`,
];

/**
 * Deletes all rows older than their lifetime (`lib/lifetimes.ts`), a slice a step. An organization's events are deleted
 * together with all earlier ones, so that the remaining events have no gap.
 */
export async function deleteOutdated(db: Kysely<Database>, step: Step = stepsIn(db)): Promise<void> {
  for (const statement of [...brief, ...outdated]) {
    let deleted = SLICE;
    const deleteSlice = () =>
      step(async (trx) => {
        deleted = Number((await statement.execute(trx)).numAffectedRows);
      });
    while (deleted >= SLICE && (await deleteSlice()));
  }
}

/** Deletes expired short-lived data, up to a slice of each kind. Called every few seconds. */
export async function deleteBrief(db: Kysely<Database>): Promise<void> {
  for (const statement of brief) await withAdvisoryLock(db, "cleaning", (trx) => statement.execute(trx));
}

/** Deletes outdated rows and expired sessions and tokens. */
export async function clean(db: Kysely<Database>, step: Step = stepsIn(db)): Promise<void> {
  await step(deleteExpiredSessions);
  await step(deleteExpiredTokens);
  await step(deleteExpiredPairings);
  await deleteOutdated(db, step);
}
