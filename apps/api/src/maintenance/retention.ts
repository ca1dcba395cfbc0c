import { deleteExpiredSessions, deleteExpiredTokens } from "@grove/auth";
import { type Database, defaultPartition } from "@grove/db";
import { deviceToolNames, keptMs, UNLISTED_TOOL } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { deleteExpiredPairings } from "../devices/pairings";
import { tryWithAdvisoryLock } from "../lib/advisoryLock";
import { lifetimes } from "../lib/lifetimes";
import { type Step, stepsIn } from "./hourlyWork";

/** The most rows that one statement deletes, without those that the delete cascades to. */
const SLICE = 500;
const slice = sql.lit(SLICE);

/**
 * The tools whose results show people's files. The partial index `device_commands_files` lists the same tools, so a new
 * one needs a migration with a new index. Otherwise the index is not used, and `queryPlans.test.ts` fails.
 */
const fileTools = deviceToolNames.filter((tool) => tool !== UNLISTED_TOOL && Number.isFinite(keptMs(tool)));

/** Statements for data that is kept for minutes. Readers filter expired rows, so the delete may be late. */
const shortLived = [
  // A partial index serves this tool only.
  sql`delete from device_commands where id = any (array(
    select id from device_commands
    where tool = ${sql.lit(UNLISTED_TOOL)} and finished_at < now() - ${lifetimes.screen}
    order by finished_at limit ${slice}))`,
  // A report may come after its command was settled.
  sql`update device_commands set result = null, late_result = null, result_removed_at = finished_at + ${lifetimes.files}
    where id = any (array(
    select id from device_commands
    where tool in (${sql.join(fileTools.map((tool) => sql.lit(tool)))}) and (result is not null or late_result is not null)
      and finished_at < now() - ${lifetimes.files}
    order by finished_at limit ${slice}))`,
  sql`update agent_requests set input = null, questions = null where ctid = any (array(
    select ctid from agent_requests where input is not null and settled_at < now() - ${lifetimes.requestText}
    order by settled_at limit ${slice}))`,
];

/** Statements for data that is kept for days. */
const longLived = [
  // The others are dropped with their weekly partition; see `dropCommands.ts`.
  sql`delete from ${sql.table(defaultPartition("device_commands"))} where id = any (array(
    select id from ${sql.table(defaultPartition("device_commands"))} where finished_at < now() - ${lifetimes.command}
    order by finished_at limit ${slice}))`,
  sql`delete from command_keys where ctid = any (array(
    select ctid from command_keys where created_at < now() - ${lifetimes.idempotencyKey}
    order by created_at limit ${slice}))`,
  sql`delete from tasks where ctid = any (array(
    select ctid from tasks where deleted_at < now() - ${lifetimes.deletedTask} limit ${slice}))`,
  sql`delete from agent_sessions where ctid = any (array(
    select ctid from agent_sessions where ended_at < now() - ${lifetimes.agentSession} limit ${slice}))`,
  sql`delete from changes where ctid = any (array(
    select ctid from changes
    where task_id is null and workspace_id is null and updated_at < now() - ${lifetimes.change} limit ${slice}))`,
  sql`delete from merge_intents where ctid = any (array(
    select ctid from merge_intents where ended_at < now() - ${lifetimes.mergeIntent} limit ${slice}))`,
  sql`delete from review_comments where ctid = any (array(
    select ctid from review_comments
    where state = 'draft' and updated_at < now() - ${lifetimes.reviewDraft} limit ${slice}))`,
  sql`delete from review_marks where ctid = any (array(
    select ctid from review_marks where marked_at < now() - ${lifetimes.reviewMark} limit ${slice}))`,
  sql`delete from pull_requests where ctid = any (array(
    select ctid from pull_requests
    where change_id is null and updated_at < now() - ${lifetimes.change} limit ${slice}))`,
  sql`delete from integration_events where ctid = any (array(
    select ctid from integration_events
    where created_at < now() - ${lifetimes.delivery} and status <> 'pending' limit ${slice}))`,
  sql`delete from notification_outbox where ctid = any (array(
    select ctid from notification_outbox where created_at < now() - ${lifetimes.notification}
    order by created_at limit ${slice}))`,
  sql`delete from push_subscriptions where ctid = any (array(
    select ctid from push_subscriptions
    where last_used_at < now() - ${lifetimes.pushSubscription} limit ${slice}))`,
  sql`delete from api_instances where lease_until < now() - ${lifetimes.instance}`,
  sql`delete from integration_oauth_states where ctid = any (array(
    select ctid from integration_oauth_states where expires_at < now() limit ${slice}))`,
  // The oldest of an organization first, so that its remaining events have no gap.
  sql`delete from organization_events where ctid = any (array(
    select event.ctid from (
      select organization_id, max(sequence) as through from (
        select organization_id, sequence from organization_events
        where created_at < now() - ${lifetimes.organizationEvent} order by created_at limit ${slice}) as page
      group by organization_id) as old
    join organization_events as event on event.organization_id = old.organization_id and event.sequence <= through
    order by event.organization_id, event.sequence limit ${slice}))`,
];

/**
 * Deletes all rows older than their lifetime (`lib/lifetimes.ts`), a slice a step. An organization's events are deleted
 * together with all earlier ones, so that the remaining events have no gap.
 */
export async function deleteOutdated(db: Kysely<Database>, step: Step = stepsIn(db)): Promise<void> {
  for (const statement of [...shortLived, ...longLived]) {
    let deleted = SLICE;
    const deleteSlice = () =>
      step(async (trx) => {
        deleted = Number((await statement.execute(trx)).numAffectedRows);
      });
    while (deleted >= SLICE && (await deleteSlice()));
  }
}

/** Deletes expired short-lived data, up to a slice of each kind. Called every few seconds. */
export async function deleteShortLived(db: Kysely<Database>): Promise<void> {
  for (const statement of shortLived)
    await tryWithAdvisoryLock(db, "cleaning", (trx) => statement.execute(trx));
}

/** Deletes outdated rows and expired sessions and tokens. */
export async function clean(db: Kysely<Database>, step: Step = stepsIn(db)): Promise<void> {
  await step(deleteExpiredSessions);
  await step(deleteExpiredTokens);
  await step(deleteExpiredPairings);
  await deleteOutdated(db, step);
}
