import { type Kysely, sql } from "kysely";

/** An index for each filter of a list, so that what is rare or not there is found at once in a large organization. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index device_commands_requested_by
    on device_commands (organization_id, requested_by, created_at desc, id desc)`,
  "create index device_commands_device on device_commands (organization_id, device_id, created_at desc, id desc)",
  "create index device_commands_status on device_commands (organization_id, status, created_at desc, id desc)",
  `create index tasks_organization_creator on tasks (organization_id, creator_id, created_at desc, id desc)
    where deleted_at is null`,
  "create index audit_events_action on audit_events (organization_id, action, created_at desc, id desc)",
  "create index agent_sessions_status on agent_sessions (organization_id, status, created_at desc, id desc)",

  // Both extensions are trusted: they need the right CREATE on the database, and no superuser. Where they cannot be had a
  // search reads all tasks of the organization, and labels are found in all organizations.
  `do $$ begin
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index tasks_search on tasks using gin (organization_id, search_text gin_trgm_ops)
      where deleted_at is null;
    create index tasks_labels on tasks using gin (organization_id, labels) where deleted_at is null;
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    create index tasks_labels on tasks using gin (labels) where deleted_at is null;
  end $$`,
];
