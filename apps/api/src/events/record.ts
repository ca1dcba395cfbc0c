import { type Database, notification } from "@grove/db";
import { sql, type Transaction } from "kysely";

/** The part of an organization's events that a subscription covers. */
export interface Topic {
  organizationId: string;
  /** `task`, or `chat:<session id>`; shorter than 100 bytes, without spaces. */
  topic: string;
}

/**
 * Records an event in the transaction that causes it, and wakes its watchers once that is committed. It raises the
 * organization's counter and holds its lock to the end of the transaction. So the order of commits is the order of
 * events, and a watcher that has seen one has seen all before it. Call it last: from here on changes of the
 * organization wait for one another, and asking for a row that another holds would deadlock.
 */
export async function recordEvent<Payload extends { type: string }>(
  trx: Transaction<Database>,
  { organizationId, topic }: Topic,
  payload: Payload,
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
    select ${notification("organization_event", sql`organization_id::text || ' ' || topic`)} as announced from event
  `.execute(trx);
}
