import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/** Tables that are listed newest first, by (created_at, id). */
type ListedTable =
  | "agent_sessions"
  | "api_keys"
  | "audit_events"
  | "chat_messages"
  | "chat_sessions"
  | "device_commands"
  | "devices"
  | "integration_connections"
  | "integration_events"
  | "integration_webhooks"
  | "invitations"
  | "memberships"
  | "projects"
  | "tasks"
  | "workspaces";

/** The columns by which rows are listed, and their names in the result. The greatest is first; none are equal. */
type Order = readonly { column: RawBuilder<unknown>; name: string }[];

interface Page {
  readonly limit: number;
  /** The id of the last row seen. */
  readonly after?: string;
}

/**
 * A page ends once its rows have this many bytes. No row has as much as a sixteenth of it. So a page shorter than both
 * 16 rows and its limit is the last one.
 */
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * An upper bound of a row's bytes, for tables whose rows may be large. PostgreSQL knows these lengths without reading
 * the values.
 */
const bytesOf: Partial<Record<ListedTable, RawBuilder<number>>> = {
  agent_sessions: sql`1000 + coalesce(octet_length(agent_sessions.error::text), 0)
    + coalesce(octet_length(agent_sessions.asks), 0)`,
  chat_messages: sql`1000 + octet_length(chat_messages.text)`,
  device_commands: sql`1000 + coalesce(octet_length(device_commands.error::text), 0)
    + coalesce(octet_length(device_commands.progress::text), 0)`,
  // A label has at most 50 characters.
  tasks: sql`1000 + octet_length(tasks.title) + coalesce(octet_length(tasks.description), 0)
    + 200 * cardinality(tasks.labels) + coalesce(octet_length(tasks.branch), 0)
    + coalesce(octet_length(tasks.pr_url), 0) + coalesce(octet_length(tasks.external_url), 0)`,
  workspaces: sql`1000 + workspaces.config_bytes`,
};

/** The id column of tables whose rows are listed by an id other than their own. */
const idColumns: Partial<Record<ListedTable, string>> = { memberships: "user_id" };

/** Limits a query to the rows of the listed table that the page needs. */
export type Narrow = <Tables extends keyof Database, Row>(query: Query<Tables, Row>) => Query<Tables, Row>;

/**
 * A page of an organization's rows, newest first: executes `query`, which names the organization and the other filters
 * itself, from the row after `after` on. For tables whose rows may be large, a page has as many as fit into 4 MiB.
 * @param query or a function that builds it from parts, and narrows each of them to the page
 * @param order by which the rows are listed instead
 * @throws {GroveError} BAD_REQUEST `cursor_gone` when that row no longer exists, or never did in this organization
 */
export function newestFirst<Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: ListedTable,
  query: Query<Tables, Row> | ((narrow: Narrow) => Query<Tables, Row>),
  { organizationId, ...page }: Page & { readonly organizationId: string },
  order?: Order,
): Promise<Row[]> {
  const listed = { table, id: idColumns[table] ?? "id", bytes: bytesOf[table], order };
  return readPage(db, listed, query, page, sql`organization_id = ${organizationId}`);
}

/**
 * As {@link newestFirst}, for lists of site admins.
 * @throws {GroveError} BAD_REQUEST `cursor_gone` when that row no longer exists
 */
export const newestFirstOfSite = <Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: "users" | "organizations",
  query: Query<Tables, Row>,
  page: Page,
): Promise<Row[]> => readPage(db, { table, id: "id" }, query, page, sql`true`);

/**
 * As {@link newestFirst}, for one user's rows.
 * @throws {GroveError} BAD_REQUEST `cursor_gone` when that row no longer exists, or is another user's
 */
export const newestFirstOfUser = <Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: "sessions",
  query: Query<Tables, Row>,
  { userId, ...page }: Page & { readonly userId: string },
): Promise<Row[]> => readPage(db, { table, id: "id" }, query, page, sql`user_id = ${userId}`);

type Query<Tables extends keyof Database, Row> = SelectQueryBuilder<Database, Tables, Row>;

interface Listed {
  table: string;
  id: string;
  bytes?: RawBuilder<number> | undefined;
  order?: Order | undefined;
}

const newest = (table: string, id: string): Order =>
  ["created_at", id].map((name) => ({ column: sql.ref(`${table}.${name}`), name }));

async function readPage<Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  { table, id, bytes, order = newest(table, id) }: Listed,
  query: Query<Tables, Row> | ((narrow: Narrow) => Query<Tables, Row>),
  { limit, after }: Page,
  within: RawBuilder<unknown>,
): Promise<Row[]> {
  const place = sql.join(order.map(({ column }) => column));
  const descending = (columns: RawBuilder<unknown>[]) => sql.join(columns.map((one) => sql`${one} desc`));
  const row = sql`${sql.table(table)} where ${within} and ${sql.ref(id)} = ${after}`;
  if (after !== undefined) {
    const { rows } = await sql`select ${sql.ref(id)} from ${row}`.execute(db);
    if (rows.length === 0)
      throw new GroveError(
        "BAD_REQUEST",
        `after: the item ${after} does not exist or was deleted. List again from the start.`,
        { reason: "cursor_gone" },
      );
  }
  const narrowed = <T extends keyof Database, R>(from: Query<T, R>): Query<T, R> => {
    const page = order.reduce((query, { column }) => query.orderBy(column, "desc"), from).limit(limit);
    // Compared in SQL, since a JavaScript Date would lose the microseconds.
    return after === undefined ? page : page.where(sql<SqlBool>`(${place}) < (select ${place} from ${row})`);
  };
  const page = narrowed(typeof query === "function" ? query(narrowed) : query);
  if (!bytes) return page.execute();
  const before = sql<number>`sum(${bytes}) over (order by ${descending(order.map(({ column }) => column))} rows unbounded preceding) - (${bytes})`;
  const { rows } = await sql<Row>`
    select * from ${page.select(before.as("bytes_before"))} as page where bytes_before < ${sql.lit(PAGE_BYTES)}
    order by ${descending(order.map(({ name }) => sql.ref(`page.${name}`)))}`.execute(db);
  return rows;
}
