import { type Kysely, sql } from "kysely";

/** Commands are deleted some time after their end; the sweeper looks for those every few seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      "create index device_commands_finished_at on device_commands (finished_at) where finished_at is not null",
    )
    .execute(db);
}
