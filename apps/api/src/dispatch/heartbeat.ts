import type { DevicePrincipal } from "@grove/auth";
import type { agentHeartbeatInput, heartbeatAnswer } from "@grove/schemas";
import { sql } from "kysely";
import type { z } from "zod";
import type { Services } from "../services";

/**
 * A device answers a beat of its stream. Renews its presence, and says which of the commands it runs were canceled
 * or given up meanwhile; asks the table only when something runs.
 */
export async function heartbeat(
  services: Services,
  device: DevicePrincipal,
  { epoch, beat, running }: z.infer<typeof agentHeartbeatInput>,
): Promise<z.infer<typeof heartbeatAnswer>> {
  // The first answer makes a device online, and somebody may be waiting for that.
  await services.presence.renew(device.deviceId, epoch, beat === 0);
  if (running.length === 0) return { canceled: [], lost: [] };
  const rows = await services.database.reserved
    .selectFrom("device_commands")
    .select(["id", "status"])
    .where("organization_id", "=", device.organizationId)
    .where("device_id", "=", device.deviceId)
    .where(sql<boolean>`id = any(${running}::uuid[])`)
    .where((eb) =>
      eb.or([
        eb("cancel_requested_at", "is not", null),
        eb("status", "in", ["canceled", "expired", "timed_out", "lost"]),
      ]),
    )
    .execute();
  return {
    canceled: rows.filter((row) => row.status !== "lost").map((row) => row.id),
    lost: rows.filter((row) => row.status === "lost").map((row) => row.id),
  };
}
