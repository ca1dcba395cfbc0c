import { type Database, notification } from "@grove/db";
import { sql, type Transaction } from "kysely";

/** What of an organization's events a subscription is about. */
export interface Topic {
  organizationId: string;
  /** `task`, or `chat:<session id>`; below 100 bytes, without spaces. */
  topic: string;
}

/**
 * Records what happened, in the transaction in which it happens, and wakes who watches once that is committed. It
 * raises the organization's counter, whose lock is held to the end of the transaction: so the order of commits is the
 * order of events, and who has seen one has seen all before it. Call it last: changes of the organization wait for one
 * another from here on, and one that then asked for a row that another holds would be a deadlock.
 */
export async function recordEvent(
  trx: Transaction<Database>,
  { organizationId, topic }: Topic,
  payload: { type: string },
): Promise<void> {
  await sql`
    with counter as (
      insert into organization_event_counters as counters (organization_id, last_sequence)
      values (${organizationId}, 1)
      on conflict (organization_id) do update set last_sequence = counters.last_sequence + 1
      returning organization_id, last_sequence),
    event as (
      insert into organization_events (organization_id, sequence, topic, payload)
      select organization_id, last_sequence, ${topic}, ${JSON.stringify(payload)}::jsonb from counter
      returning organization_id, topic)
    select ${notification("organization_event", sql`organization_id::text || ' ' || topic`)} from event
  `.execute(trx);
}
