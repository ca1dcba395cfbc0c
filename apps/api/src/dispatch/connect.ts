import { type DevicePrincipal, GroveError } from "@grove/auth";
import { notification, notify } from "@grove/db";
import type { deviceConnectInput } from "@grove/schemas";
import { sql } from "kysely";
import type { z } from "zod";
import type { Services } from "../services";

/**
 * Makes a stream the device's newest and returns its epoch. What another journal on the same key (a copied home, a
 * restored backup) had claimed is `lost`: only the journal that has an entry can say whether the work was done.
 */
export function connect(
  services: Services,
  device: DevicePrincipal,
  input: z.infer<typeof deviceConnectInput>,
): Promise<number> {
  return services.database.db.transaction().execute(async (trx) => {
    const connected = await trx
      .updateTable("devices")
      .set((eb) => ({
        epoch: eb("epoch", "+", 1),
        journal_id: input.journalId,
        agent_version: input.agentVersion,
        capabilities: input.capabilities,
        last_seen_at: sql<Date>`now()`,
      }))
      .where("organization_id", "=", device.organizationId)
      .where("id", "=", device.deviceId)
      .where("revoked_at", "is", null)
      .returning("epoch")
      .executeTakeFirst();
    if (!connected)
      throw new GroveError("UNAUTHORIZED", "This device is revoked. Register the machine again.");
    const error = {
      reason: "device_replaced",
      message:
        "The device connected with another journal (a copied or restored home), so nobody can say whether this command was run. Look at the machine before you run it again.",
    };
    await sql`
      with lost as (
        update device_commands
        set status = 'lost', finished_at = now(), error = ${JSON.stringify(error)}::jsonb
        where organization_id = ${device.organizationId} and device_id = ${device.deviceId}
          and status in ('claimed', 'running') and journal_id <> ${input.journalId}
        returning id)
      select ${notification("command_changed", sql`id::text || ' lost'`)} from lost
    `.execute(trx);
    // Tells an older stream, wherever it hangs, that it is not the newest any more.
    await notify(trx, "device_wake", `${device.deviceId} epoch ${connected.epoch}`);
    return connected.epoch;
  });
}
