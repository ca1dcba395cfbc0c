import type { DevicePrincipal } from "@grove/auth";
import { weekRange } from "@grove/db";
import type { AgentHeartbeatInput, HeartbeatAnswer } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../../services";
import { reportStarts } from "../end/report";

/** The sweeper has given up the command, since the device never reported that it had begun. */
const isNotStarted = sql<boolean>`(status = 'failed' and error ->> 'reason' = 'not_started')`;

/**
 * Whether a device's response to a heartbeat can be handled from memory. This process has the stream, the rows confirm
 * that under its lease, and the key was valid within the last minute, with revocations being announced.
 * @param keyHash the hash of the presented key
 */
export function isAnsweredFromMemory(
  { dispatch, lease, database }: Pick<Services, "database" | "dispatch" | "lease">,
  keyHash: string,
  { epoch, running, waiting }: AgentHeartbeatInput,
): boolean {
  const local = dispatch.streams.openedWith(keyHash);
  if (local?.stream.epoch !== epoch || running.length + waiting.length > 0 || !local.isHeldUnder(lease))
    return false;
  if (!local.isProven || !database.notifier.connected) return false;
  local.answered();
  return true;
}

/**
 * Handles a device's response to a heartbeat of its stream. Records its presence, and returns which of its commands
 * were canceled or given up. A command that the device runs has begun, even if the report of its start was lost. Reads
 * the table only when the device has commands.
 */
export async function heartbeat(
  services: Pick<Services, "database" | "dispatch">,
  device: DevicePrincipal,
  { epoch, beat, running, waiting }: AgentHeartbeatInput,
): Promise<HeartbeatAnswer> {
  // The first response brings a device online, and a caller may be waiting for that.
  await services.dispatch.presence.answered(device.deviceId, epoch, beat === 0);
  const open = [...running, ...waiting];
  if (open.length === 0) return { canceled: [], lost: [] };
  const rows = await services.database.reserved
    .selectFrom("device_commands")
    .select(["id", "status", "journal_id", "cancel_requested_at"])
    .where("organization_id", "=", device.organizationId)
    .where("device_id", "=", device.deviceId)
    .where(sql<boolean>`id = any(${open}::uuid[])`)
    .where(weekRange("id", open))
    .where((eb) =>
      eb.or([
        eb("cancel_requested_at", "is not", null),
        eb("status", "in", ["claimed", "canceled", "expired", "timed_out", "lost"]),
        isNotStarted,
      ]),
    )
    .execute();
  const hasBegun = new Set(running);
  const startedRows = rows.filter(
    (row) => hasBegun.has(row.id) && row.status === "claimed" && row.journal_id === device.journalId,
  );
  if (startedRows.length > 0)
    await reportStarts(
      services,
      device,
      startedRows.map(({ id }) => id),
    );
  return {
    canceled: rows
      .filter(
        (row) => row.cancel_requested_at !== null || !["claimed", "lost", "failed"].includes(row.status),
      )
      .map((row) => row.id),
    lost: rows.filter((row) => ["lost", "failed"].includes(row.status)).map((row) => row.id),
  };
}
