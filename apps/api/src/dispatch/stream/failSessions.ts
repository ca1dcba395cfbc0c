import { type Database, notification } from "@grove/db";
import type { CommandError } from "@grove/schemas";
import { type RawBuilder, sql, type Transaction } from "kysely";

/**
 * Ends sessions that their device can no longer report: they are `failed`, with this error. Their open requests are
 * withdrawn.
 */
export async function failSessions(
  trx: Transaction<Database>,
  device: { organizationId: string; deviceId: string },
  which: RawBuilder<unknown>,
  error: CommandError,
): Promise<void> {
  await sql`
    with ended as (
      update agent_sessions
      set status = 'failed', ended_at = now(), waiting_for_input = false, question_text = null, screen = null,
        activity = null, activity_detail = null,
        error = ${JSON.stringify(error)}::jsonb
      where organization_id = ${device.organizationId} and device_id = ${device.deviceId} and status = 'running'
        and ${which}
      returning id
    ), withdrawn as (
      update agent_requests
      set status = 'withdrawn', settled_at = now()
      where organization_id = ${device.organizationId} and session_id in (select id from ended) and status = 'open'
    )
    select ${notification("session_changed", sql`id::text`)} as announced,
      ${notification("attention", device.organizationId)} as announced_attention
    from ended
  `.execute(trx);
}
