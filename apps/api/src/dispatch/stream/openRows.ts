import { apiKeyIsValid, isStillMember } from "@grove/auth";
import { inRecentWeeks, isSerializationFailure, isStatementTimeout, lockWithin, weekRange } from "@grove/db";
import type { CommandDelivery, DeviceEvent } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";
import { milliseconds } from "../../lib/interval";
import type { Services } from "../../services";
import { type SendableRow, type Stream, toDelivery } from "./inbox";

type CancelEvent = Extract<DeviceEvent, { type: "cancel" }>;

/** The maximum number of commands in one claim or read. A longer queue takes several. */
export const CLAIM_LIMIT = 100;

/** How long a claim waits for rows that another transaction has locked. */
const LOCK_MS = 2_000;

/** A device reports every 10 s that a command waits for a slot, at most a few seconds late. */
const WAIT_REPORTED_MS = 15_000;

/** How long a command may still wait until its work begins. */
const startWithinMs = sql<number>`extract(epoch from queue_expires_at - now())::float8 * 1000`;

/** A command that is claimed for the stream's journal. */
interface ClaimedRow extends SendableRow {
  cancel_requested: boolean;
}

interface UnsettledRow extends ClaimedRow {
  /** The age of the claim, in seconds. */
  claimed_ago: number | null;
}

/**
 * Whether a user still has access: the user must be a member, and an API key must be valid.
 * @param principal the user's `idempotencyOwner`
 */
export const stillHasAccess = (
  organizationId: RawBuilder<string>,
  userId: RawBuilder<string>,
  principal: RawBuilder<string>,
) => sql<boolean>`(${isStillMember(organizationId, userId)}
  and (${principal} not like 'api_key:%' or ${apiKeyIsValid(sql`substr(${principal}, 9)::uuid`)}))`;

/** Whether the requester of a command (a row of `device_commands`) still has access. */
export const requesterHasAccess = stillHasAccess(
  sql`device_commands.organization_id`,
  sql`device_commands.requested_by`,
  sql`principal`,
);

/**
 * Claims the device's queued commands, oldest first.
 * - The device's row is locked: a stream that is no longer the newest claims nothing, and a newer one that connects
 *   during the claim finds the claimed commands.
 * - For a command that was requeued and has been canceled since, only the cancellation is sent.
 * - A command whose requester lost access is not claimed: the removal cancels it, or the sweeper does.
 *
 * @param isNew whether to look for new commands only: in two weeks' parts of the table, not in all of them
 * @returns undefined when these rows are locked: try again soon
 */
export async function claim(
  services: Pick<Services, "database">,
  stream: Stream,
  isNew = false,
): Promise<(CommandDelivery | CancelEvent)[] | undefined> {
  const recent = isNew ? inRecentWeeks("device_commands.id") : sql`true`;
  const claiming = sql<ClaimedRow>`
    with newest as (
      select id from devices
      where organization_id = ${stream.organizationId} and id = ${stream.deviceId} and epoch = ${stream.epoch}
        and revoked_at is null and ${lockWithin(LOCK_MS)}
      for share),
    next as (
      select id from device_commands
      where organization_id = ${stream.organizationId} and device_id = (select id from newest)
        and status = 'queued' and queue_expires_at > now() and ${recent}
        and (journal_id is null or journal_id = ${stream.journalId})
        and (cancel_requested_at is not null or ${requesterHasAccess})
      order by created_at, id limit ${sql.lit(CLAIM_LIMIT)}
      for update),
    claimed as (
      update device_commands
      set status = 'claimed', claimed_at = now(), attempt = attempt + 1, journal_id = ${stream.journalId},
        progress = null
      where id in (select id from next) and ${recent}
      returning id, device_id, tool, params, timeout_ms as remaining_ms, ${startWithinMs} as start_within_ms,
        requested_by, trace_parent, created_at,
        cancel_requested_at is not null as cancel_requested)
    select * from claimed order by created_at, id
  `;
  try {
    const { rows } = await claiming.execute(services.database.reserved);
    return rows.map(toCommandOrCancel);
  } catch (error) {
    if (isStatementTimeout(error) || isSerializationFailure(error)) return undefined;
    throw error;
  }
}

const toCommandOrCancel = (row: ClaimedRow): CommandDelivery | CancelEvent =>
  row.cancel_requested ? { type: "cancel", id: row.id } : toDelivery(row);

/**
 * The commands that were claimed for this journal and are not settled, a page at a time. They are sent again at each
 * connect, and the device answers from its journal. For a canceled command only the cancellation is sent.
 * @param only limits them to these ids, of commands that another process has just claimed for the stream
 */
export async function* unsettled(
  services: Pick<Services, "database" | "metrics">,
  stream: Stream,
  only?: string[],
): AsyncGenerator<CommandDelivery | CancelEvent> {
  const among = only ? sql`and id = any(${only}::uuid[])` : sql``;
  let last: UnsettledRow | undefined;
  do {
    const page = await unsettledAfter(services, stream, among, last);
    for (const row of page) {
      if (only && row.claimed_ago !== null) services.metrics?.woken("announcement", row.claimed_ago);
      yield toCommandOrCancel(row);
    }
    last = page.length === CLAIM_LIMIT ? page.at(-1) : undefined;
  } while (last);
}

async function unsettledAfter(
  services: Pick<Services, "database">,
  stream: Stream,
  among: RawBuilder<unknown>,
  last: UnsettledRow | undefined,
): Promise<UnsettledRow[]> {
  // Compared within the database, which distinguishes microseconds; JavaScript does not.
  const after = last
    ? sql`and (created_at, id) > (select created_at, id from device_commands
        where organization_id = ${stream.organizationId} and id = ${last.id})`
    : sql``;
  // The time-out runs from the time at which the work is known to have begun.
  const { rows } = await sql<UnsettledRow>`
    select id, device_id, tool, params, requested_by, trace_parent, cancel_requested_at is not null as cancel_requested,
      timeout_ms - coalesce(extract(epoch from now() - started_at)::float8 * 1000, 0) as remaining_ms,
      ${startWithinMs} as start_within_ms,
      extract(epoch from clock_timestamp() - claimed_at)::float8 as claimed_ago
    from device_commands
    where organization_id = ${stream.organizationId} and device_id = ${stream.deviceId}
      and status in ('claimed', 'running') and journal_id = ${stream.journalId} ${among} ${after}
    order by created_at, id limit ${sql.lit(CLAIM_LIMIT)}
  `.execute(services.database.reserved);
  return rows;
}

/** Which of these commands the device has neither begun nor settled, nor reported as waiting for a slot. */
export async function stillClaimed(
  services: Pick<Services, "database">,
  stream: Stream,
  ids: string[],
): Promise<string[]> {
  const rows = await services.database.reserved
    .selectFrom("device_commands")
    .select("id")
    .where("organization_id", "=", stream.organizationId)
    .where("device_id", "=", stream.deviceId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(weekRange("id", ids))
    .where("status", "=", "claimed")
    .where(sql<boolean>`(progress is null or claimed_at < now() - ${milliseconds(WAIT_REPORTED_MS)})`)
    .execute();
  return rows.map((row) => row.id);
}
