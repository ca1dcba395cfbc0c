import { apiKeyIsValid, isStillMember } from "@grove/auth";
import {
  announceToDevice,
  batchedStatement,
  type Database,
  gateWorkspaceId,
  inRecentWeeks,
  type Measure,
  type Notifier,
  olderOpenCommands,
  startGates,
} from "@grove/db";
import type { Role } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { isOnline } from "../../devices/presence";
import { milliseconds } from "../../lib/interval";
import type { CommandRow } from "../command";

/** How many open commands one device may have: a queue whose device never returns must not grow forever. */
export const MAX_OPEN_COMMANDS = 1_000;

/** A submitted command, and the conditions that its device must meet. */
export interface Submission {
  id: string;
  organization_id: string;
  device_id: string;
  tool: string;
  params: Record<string, unknown>;
  requested_by: string;
  /** The caller's API key, if any. It must be valid. */
  key_id: string | null;
  /** The role of the key's owner, when the principal came from the cache. It must not have changed. */
  role: Role | null;
  /** The owner of the idempotency key. */
  principal: string;
  idempotency_key: string | null;
  idempotency_hash: string | null;
  timeout_ms: number;
  queue_ttl_ms: number;
  /** Whether the command may wait for a device that is offline. */
  offline_too: boolean;
  /** The epoch of the device's stream, if that is attached to this process. */
  epoch: number | null;
  /** The span of the submission. */
  trace_parent: string | null;
}

/**
 * `is_local`: the command was claimed for the stream that is attached to this process, and no other process is
 * notified.
 */
export type Submitted = CommandRow & { is_local: boolean };

/**
 * Batches in flight. Later commands join the next batch: commits are fewer and larger, and no command waits for more
 * than one of them.
 */
const IN_FLIGHT = 2;

/** The columns that the database sets; the others are as submitted. */
const madeColumns = [
  "id",
  "status",
  "attempt",
  "journal_id",
  "queue_expires_at",
  "created_at",
  "claimed_at",
] as const;
type Made = Pick<Submitted, (typeof madeColumns)[number] | "is_local"> & { n: number };

function submitted(submission: Submission, { n, ...made }: Made): Submitted {
  const { key_id, role, queue_ttl_ms, offline_too, epoch, ...columns } = submission;
  return {
    ...columns,
    ...made,
    result: null,
    error: null,
    late_result: null,
    result_removed_at: null,
    progress: null,
    cancel_requested_at: null,
    started_at: null,
    finished_at: null,
  };
}

/**
 * Selects a device's commands of this week and last week. Older open commands wait for an offline device, and are
 * claimed when it connects.
 */
const ofDevice = () => sql`from device_commands where organization_id = device.organization_id
  and device_id = device.id and ${inRecentWeeks("device_commands.id")}`;

/**
 * Makes a command's row, in one statement and one commit with others of the same batch. Returns undefined when the
 * device cannot take the command, its idempotency key is taken, or an earlier attempt has made the row. It also returns
 * undefined when another transaction has locked the device's row: other devices' commands must not wait for that.
 *
 * For an online device with an empty queue it claims the command immediately, and wakes the process that has the
 * device's stream. Thus a command takes two commits, across two processes too.
 */
export function batchInserts(
  db: Kysely<Database>,
  notifier: Pick<Notifier, "announce">,
  measure?: Measure<Submission>,
) {
  const insert = batchedStatement<Submission, Made>(
    db,
    {
      id: "uuid",
      organization_id: "uuid",
      device_id: "uuid",
      tool: "text",
      params: "jsonb",
      requested_by: "uuid",
      key_id: "uuid",
      role: "text",
      principal: "text",
      idempotency_key: "text",
      idempotency_hash: "text",
      timeout_ms: "integer",
      queue_ttl_ms: "float8",
      offline_too: "boolean",
      epoch: "integer",
      trace_parent: "text",
    },
    (given) => sql<Made>`
    with ${given},
    device as (
      select id, organization_id, owner_id, shared, agent_version, capabilities, epoch, journal_id,
        ${isOnline} as online
      from devices
      where revoked_at is null
        and (organization_id, id) in (select organization_id, device_id from given)
      for share skip locked),
    accepted as materialized (
      select given.*, device.journal_id, coalesce(given.epoch = device.epoch, false) as is_local,
        device.journal_id is not null and online and not exists (select ${ofDevice()} and status = 'queued') as claims_now
      from given
      join device on device.organization_id = given.organization_id and device.id = given.device_id
      where (shared or owner_id = given.requested_by) and (offline_too or online)
        and (agent_version is null or given.tool = any(capabilities))
        and case when key_id is null then ${isStillMember(sql`given.organization_id`, sql`given.requested_by`)}
          else ${apiKeyIsValid(sql`given.key_id`, sql`given.role`)} end
        -- Earlier rows of this statement count as the same device's; a command refused because of them is tried again.
        -- Only an offline device may have older ones, since a command may wait for weeks.
        and n + case when online then 0
            else ${olderOpenCommands(sql`device.organization_id`, sql`device.id`, MAX_OPEN_COMMANDS)} end
          + (select count(*) from (
          select ${ofDevice()} and status in ('queued', 'claimed', 'running') limit ${sql.lit(MAX_OPEN_COMMANDS)}) as open)
          < ${sql.lit(MAX_OPEN_COMMANDS)}),
    -- The trigger take_key also inserts the idempotency key into command_keys. It drops a row whose key is taken.
    inserted as (
      insert into device_commands (id, organization_id, device_id, tool, params, requested_by, principal,
        idempotency_key, idempotency_hash, timeout_ms, queue_expires_at, status, attempt, claimed_at, journal_id,
        trace_parent)
      select id, organization_id, device_id, tool, params, requested_by, principal, idempotency_key,
        idempotency_hash, timeout_ms, now() + ${milliseconds(sql.ref("queue_ttl_ms"))},
        case when claims_now then 'claimed' else 'queued' end, case when claims_now then 1 else 0 end,
        case when claims_now then now() end, case when claims_now then journal_id end, trace_parent
      from accepted
      -- A conflict on the idempotency key, or on the id of a command that is submitted again.
      on conflict do nothing
      returning ${sql.join(madeColumns.map((column) => sql.ref(column)))}, organization_id, device_id,
        ${gateWorkspaceId} as gate_workspace_id),
    gates as (${startGates("inserted")})
    select n, ${sql.join(madeColumns.map((column) => sql.ref(`inserted.${column}`)))},
      is_local and claims_now as is_local
    from inserted join accepted using (id)
  `,
    { inFlight: IN_FLIGHT, measure, byWeek: true },
  );
  return async (submission: Submission): Promise<Submitted | undefined> => {
    const made = await insert(submission);
    if (!made) return undefined;
    const { device_id: deviceId } = submission;
    if (made.status === "queued") announceToDevice(notifier, deviceId, { kind: "queued" });
    else if (!made.is_local) announceToDevice(notifier, deviceId, { kind: "claimed", value: made.id });
    return submitted(submission, made);
  };
}
