import { type Kysely, sql } from "kysely";

/** A delivery is kept as it came: jsonb takes neither NUL nor half of a surrogate pair, which JSON may well contain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table integration_events alter column payload type text using payload::text`.execute(db);
}
