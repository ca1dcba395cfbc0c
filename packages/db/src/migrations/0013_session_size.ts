import { type Kysely, sql } from "kysely";

/** How large a session's terminal is: what a full-screen program prints means nothing without. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      "alter table agent_sessions add column columns integer not null default 120, add column rows integer not null default 40",
    )
    .execute(db);
}
