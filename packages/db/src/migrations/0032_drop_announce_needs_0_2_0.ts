import { type Kysely, sql } from "kysely";

/** Each change of a command is announced, whether or not anyone waits for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_commands drop column announce`.execute(db);
}
