import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type SqlBool, sql } from "kysely";

/** Tables that are listed newest first, by (created_at, id). */
type ListedTable = "api_keys" | "device_commands" | "devices" | "projects" | "workspaces";

/**
 * The WHERE that goes on after the row `after`, newest first. Compared in SQL, since a
 * JavaScript Date would lose the microseconds.
 * @throws BAD_REQUEST `cursor_gone` when that row is no more, or never was in this organization
 */
export async function afterCursor(
  db: Kysely<Database>,
  table: ListedTable,
  organizationId: string,
  after: string,
) {
  const cursor = await db
    .selectFrom(table)
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", after)
    .executeTakeFirst();
  if (!cursor)
    throw new GroveError(
      "BAD_REQUEST",
      `after: there is no item ${after} any more. List again from the start.`,
      { reason: "cursor_gone" },
    );
  return sql<SqlBool>`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)})
    < (select created_at, id from ${sql.table(table)} where id = ${after})`;
}
