import type { Device } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";
import { HOLDS_MS } from "../instance/lease";
import { milliseconds } from "../lib/interval";

/** Whether the device has answered a heartbeat of its newest stream, and the instance that has the stream lives. */
const heldByInstance = (time: RawBuilder<unknown>) =>
  sql`devices.present_epoch = devices.epoch and exists (select from api_instances
    where api_instances.id = devices.instance_id and api_instances.lease_until > ${time})`;

/**
 * Whether a device counts as online at `time`, by the database's clock. Either its instance holds a lease, or
 * `present_until` covers a gap: between two streams, or after a heartbeat that another instance answered.
 */
const heldAt = (time: RawBuilder<unknown>) =>
  sql<boolean>`(devices.present_until > ${time} or ${heldByInstance(time)})`;

/** Whether a device is online. */
export const isOnline = sql<boolean>`coalesce(devices.revoked_at is null and ${heldAt(sql`now()`)}, false)`;

/**
 * Whether the lease of the stream's instance keeps the device online, so that no other instance has to write
 * `present_until`.
 */
export const isHeldByInstance = sql<boolean>`coalesce(${heldByInstance(sql`now()`)}, false)`;

/** Whether a device was online or has changed since this time. */
export const changedSince = (time: RawBuilder<unknown>) =>
  sql<boolean>`(${heldAt(time)} or greatest(devices.last_seen_at, devices.updated_at, devices.revoked_at) > ${time})`;

/**
 * When a device was last seen. Heartbeats write nothing: until its stream has ended, a device counts as seen when its
 * instance last renewed its lease.
 */
export const lastSeen = sql<string | null>`greatest(devices.last_seen_at, (
  select least(now(), api_instances.lease_until - ${milliseconds(HOLDS_MS)}) from api_instances
  where api_instances.id = devices.instance_id and devices.present_epoch = devices.epoch
    and devices.revoked_at is null))`;

/** A device's status, and the last known reason for being offline. The cause is never guessed. */
export function presenceOf(row: {
  online: boolean;
  revoked_at: string | null;
  last_seen_at: string | null;
  offline_reason: Device["offlineReason"];
}): Pick<Device, "status" | "offlineReason"> {
  if (row.online) return { status: "online", offlineReason: null };
  if (row.revoked_at) return { status: "offline", offlineReason: "revoked" };
  if (!row.last_seen_at) return { status: "offline", offlineReason: "never_connected" };
  // No stream ended: the lease ran out.
  return { status: "offline", offlineReason: row.offline_reason ?? "unresponsive" };
}
