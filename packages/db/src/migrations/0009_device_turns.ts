import { type Kysely, sql } from "kysely";

/** Which journal a device had before, and since when it has this one: how two machines on one key are found out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw("alter table devices add column previous_journal_id uuid, add column journal_changed_at timestamptz")
    .execute(db);
}
