import { type Kysely, sql } from "kysely";

/** A task whose creation was asked for again is found again; looks at screens are found to be deleted soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tasks add column idempotency_principal text, add column idempotency_key text,
      add column idempotency_hash text`.execute(db);
  await sql`
    create unique index tasks_idempotency_key on tasks (organization_id, idempotency_principal, idempotency_key)
    where idempotency_key is not null`.execute(db);
  await sql`
    create index device_commands_screens on device_commands (finished_at)
    where tool = 'get_agent_screen' and finished_at is not null`.execute(db);
}
