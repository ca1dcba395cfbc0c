import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/** Tables that are listed newest first, by (created_at, id). */
type ListedTable =
  | "agent_sessions"
  | "audit_events"
  | "chat_messages"
  | "chat_sessions"
  | "device_commands"
  | "devices"
  | "integration_events"
  | "memberships"
  | "projects"
  | "tasks"
  | "workspaces";

interface Page {
  readonly limit: number;
  /** The id of the last row seen. */
  readonly after?: string;
}

/** Of a table whose rows go by another id than their own. */
const idColumns: Partial<Record<ListedTable, string>> = { memberships: "user_id" };

/**
 * A page of a list of an organization's rows, newest first: executes `query`, which names the organization and the other
 * filters itself, from the row after `after` on.
 * @throws BAD_REQUEST `cursor_gone` when that row is no more, or never was in this organization
 */
export function newestFirst<Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: ListedTable,
  query: SelectQueryBuilder<Database, Tables, Row>,
  { organizationId, ...page }: Page & { readonly organizationId: string },
): Promise<Row[]> {
  const id = idColumns[table] ?? "id";
  return readPage(db, table, id, query, page, sql`organization_id = ${organizationId}`);
}

/**
 * The same for what the site's admins list.
 * @throws BAD_REQUEST `cursor_gone` when that row is no more
 */
export const newestFirstOfSite = <Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: "users" | "organizations",
  query: SelectQueryBuilder<Database, Tables, Row>,
  page: Page,
): Promise<Row[]> => readPage(db, table, "id", query, page, sql`true`);

async function readPage<Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: string,
  id: string,
  query: SelectQueryBuilder<Database, Tables, Row>,
  { limit, after }: Page,
  within: RawBuilder<unknown>,
): Promise<Row[]> {
  const createdAt = sql.ref(`${table}.created_at`);
  const key = sql.ref(`${table}.${id}`);
  const page = query.orderBy(createdAt, "desc").orderBy(key, "desc").limit(limit);
  if (after === undefined) return page.execute();
  const row = sql`${sql.table(table)} where ${within} and ${sql.ref(id)} = ${after}`;
  const { rows } = await sql`select ${sql.ref(id)} from ${row}`.execute(db);
  if (rows.length === 0)
    throw new GroveError(
      "BAD_REQUEST",
      `after: there is no item ${after} any more. List again from the start.`,
      { reason: "cursor_gone" },
    );
  // Compared in SQL, since a JavaScript Date would lose the microseconds.
  const follows = sql<SqlBool>`(${createdAt}, ${key}) < (select created_at, ${sql.ref(id)} from ${row})`;
  return page.where(follows).execute();
}
