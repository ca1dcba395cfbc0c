import { type Kysely, sql } from "kysely";

/** Whether others than the process that took the command wait for it; those of older processes are all announced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_commands add column announce boolean not null default true`.execute(db);
}
