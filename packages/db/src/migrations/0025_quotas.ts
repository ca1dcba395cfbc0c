import { type Kysely, sql } from "kysely";

/** What an organization or a user stores can be counted from an index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "create index workspace_tombstones_organization on workspace_tombstones (organization_id)",
  "create index analytics_events_own on analytics_events (user_id) where organization_id is null",
];
