import { type Database, notification } from "@grove/db";
import type { CommandError } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { withdrawRequests } from "../agentRequests/withdraw";

/** Ends sessions that their device can no longer report: they are `failed`, with this error. */
export async function failSessions(
  trx: Transaction<Database>,
  device: { organizationId: string; deviceId: string },
  which: RawBuilder<unknown>,
  error: CommandError,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with ended as (
      update agent_sessions
      set status = 'failed', ended_at = now(), waiting_for_input = false, asks = null, activity = null,
        activity_detail = null,
        error = ${JSON.stringify(error)}::jsonb
      where organization_id = ${device.organizationId} and device_id = ${device.deviceId} and status = 'running'
        and ${which}
      returning id)
    select id, ${notification("session_changed", sql`id::text`)} as announced,
      ${notification("attention", device.organizationId)} as announced_attention
    from ended
  `.execute(trx);
  await withdrawRequests(
    trx,
    device.organizationId,
    rows.map(({ id }) => id),
  );
}
