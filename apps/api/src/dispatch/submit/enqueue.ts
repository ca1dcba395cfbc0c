import { type Database, deviceNotification } from "@grove/db";
import { type DeviceToolName, deviceTools } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { idempotencyOwner, type Requester } from "../../lib/idempotency";

interface QueuedCommand {
  id: string;
  organizationId: string;
  deviceId: string;
  tool: DeviceToolName;
  params: Record<string, unknown>;
  /** When the command expires unless its device has taken it. */
  expiresAt: string | RawBuilder<string>;
}

/** Queues a command in the transaction that records why it is sent. Its device is woken at the commit. */
export async function enqueueCommand(
  trx: Transaction<Database>,
  principal: Requester,
  { id, organizationId, deviceId, tool, params, expiresAt }: QueuedCommand,
): Promise<void> {
  await sql`
    with command as (
      insert into device_commands (id, organization_id, device_id, tool, params, requested_by, principal, timeout_ms,
        queue_expires_at, status, attempt)
      values (${id}, ${organizationId}, ${deviceId}, ${tool}, ${JSON.stringify(params)}::jsonb, ${principal.user.id},
        ${idempotencyOwner(principal)}, ${deviceTools[tool].timeoutMs}, ${expiresAt}, 'queued', 0)
      returning device_id)
    select ${deviceNotification(sql`device_id`, { kind: "queued" })} as announced from command`.execute(trx);
}
