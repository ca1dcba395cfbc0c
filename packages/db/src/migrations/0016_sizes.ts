import { type Kysely, sql } from "kysely";

/** How large a row's JSON is, so that what is read at once can be bounded without reading it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column, of] of sizes)
    await sql
      .raw(`alter table ${table} add column ${column} integer not null
        generated always as (octet_length(${of}::text)) stored`)
      .execute(db);
}

const sizes = [
  ["workspaces", "config_bytes", "config"],
  ["organization_events", "payload_bytes", "payload"],
] as const;
