import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";

/** Tables that are listed newest first, by (created_at, id). */
type ListedTable =
  | "agent_sessions"
  | "api_keys"
  | "audit_events"
  | "chat_messages"
  | "chat_sessions"
  | "device_commands"
  | "devices"
  | "memberships"
  | "projects"
  | "tasks"
  | "workspaces";

/** Of a table whose rows go by another id than their own. */
const idColumns: Partial<Record<ListedTable, string>> = { memberships: "user_id" };

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
  const id = idColumns[table] ?? "id";
  return beforeRow(
    db,
    table,
    id,
    after,
    sql`${sql.table(table)} where organization_id = ${organizationId} and ${sql.ref(id)} = ${after}`,
  );
}

/**
 * The same for what the site's admins list.
 * @throws BAD_REQUEST `cursor_gone` when that row is no more
 */
export const afterSiteCursor = (db: Kysely<Database>, table: "users" | "organizations", after: string) =>
  beforeRow(db, table, "id", after, sql`${sql.table(table)} where id = ${after}`);

async function beforeRow(
  db: Kysely<Database>,
  table: string,
  id: string,
  after: string,
  row: RawBuilder<unknown>,
) {
  const { rows } = await sql`select ${sql.ref(id)} from ${row}`.execute(db);
  if (rows.length === 0)
    throw new GroveError(
      "BAD_REQUEST",
      `after: there is no item ${after} any more. List again from the start.`,
      { reason: "cursor_gone" },
    );
  const listed = [sql.ref(`${table}.created_at`), sql.ref(`${table}.${id}`)];
  return sql<SqlBool>`(${sql.join(listed)}) < (select created_at, ${sql.ref(id)} from ${row})`;
}
