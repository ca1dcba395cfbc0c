import { type Kysely, sql } from "kysely";

/**
 * Whether others than its caller, in the process that has the device's stream, wait for a command; those of older processes
 * are all announced. While one of these runs beside newer ones, who waits there for what these took reads every 20 seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_commands add column announce boolean not null default true`.execute(db);
}
