import type { Device } from "@grove/schemas";
import { sql } from "kysely";

/** Whether the device's lease is valid, by the database's clock. */
export const isOnline = sql<boolean>`coalesce(devices.revoked_at is null and devices.present_until > now(), false)`;

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
