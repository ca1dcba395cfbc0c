import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";

/**
 * Deletes what has been kept long enough: tasks deleted, agent sessions ended and webhooks' deliveries received 30 days
 * ago, states of authorizations that were not finished in time, and events of organizations that are 7 days old (with
 * all before them, so that what is kept has no holes).
 */
export async function deleteOutdated(db: Kysely<Database>): Promise<void> {
  await sql`delete from tasks where deleted_at < now() - interval '30 days'`.execute(db);
  await sql`delete from agent_sessions where ended_at < now() - interval '30 days'`.execute(db);
  await sql`delete from integration_events where created_at < now() - interval '30 days' and status <> 'pending'`.execute(
    db,
  );
  await sql`delete from integration_oauth_states where expires_at < now()`.execute(db);
  await sql`
    with outdated as (
      select organization_id, max(sequence) as through from organization_events
      where created_at < now() - interval '7 days' group by organization_id)
    delete from organization_events using outdated
    where organization_events.organization_id = outdated.organization_id and sequence <= through
  `.execute(db);
}
