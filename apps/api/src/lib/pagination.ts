import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { MIN_PAGE } from "@grove/schemas";
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/** Tables that are listed newest first, by (created_at, id). */
type ListedTable =
  | "agent_requests"
  | "agent_sessions"
  | "api_keys"
  | "audit_events"
  | "changes"
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
  | "task_activity"
  | "tasks"
  | "workspaces";

/** The columns by which rows are listed, and their names in the result. The greatest is first; none are equal. */
type Order = readonly { column: RawBuilder<unknown>; name: string }[];

interface Page {
  readonly limit: number;
  /** The id of the last row seen. */
  readonly after?: string;
}

/** No row has more bytes than this: the 50 000 characters of a task's description are at most 200 000. */
const MAX_ROW_BYTES = 256 * 1024;

/**
 * A page ends once its rows have this many bytes. So a page shorter than both MIN_PAGE and its limit is the last one.
 */
const PAGE_BYTES = MIN_PAGE * MAX_ROW_BYTES;

/**
 * An upper bound of a row's bytes, for tables whose rows may be large. PostgreSQL knows these lengths without reading
 * the values.
 */
const bytesOf: Partial<Record<ListedTable, RawBuilder<number>>> = {
  agent_requests: sql`1000 + octet_length(agent_requests.title) + coalesce(octet_length(agent_requests.input), 0)
    + coalesce(octet_length(agent_requests.questions::text), 0)`,
  // A name and a last line have at most 200 characters each.
  agent_sessions: sql`2600 + coalesce(octet_length(agent_sessions.error::text), 0)
    + coalesce(octet_length(agent_sessions.question_text), 0)`,
  chat_messages: sql`1000 + octet_length(chat_messages.text)`,
  device_commands: sql`1000 + coalesce(octet_length(device_commands.error::text), 0)
    + coalesce(octet_length(device_commands.progress::text), 0)`,
  // Titles and labels are recorded before and after a change.
  task_activity: sql`1000 + coalesce(octet_length(task_activity.body), 0)
    + coalesce(octet_length(task_activity.changes::text), 0)`,
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
 * Returns a page of an organization's rows, newest first, from the row after `after` on. `query` itself filters by the
 * organization and everything else. For tables whose rows may be large, a page has as many rows as fit into 4 MiB.
 * @param query the query, or a function that builds it from subqueries and applies `narrow` to each
 * @param order replaces the default order, newest first
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
 * Like {@link newestFirst}, for lists of site admins.
 * @throws {GroveError} BAD_REQUEST `cursor_gone` when that row no longer exists
 */
export const newestFirstOfSite = <Tables extends keyof Database, Row>(
  db: Kysely<Database>,
  table: "users" | "organizations",
  query: Query<Tables, Row>,
  page: Page,
): Promise<Row[]> => readPage(db, { table, id: "id" }, query, page, sql`true`);

/**
 * Like {@link newestFirst}, for one user's rows.
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
  const sortKey = sql.join(order.map(({ column }) => column));
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
    const page = order.reduce((sorted, { column }) => sorted.orderBy(column, "desc"), from).limit(limit);
    // Compared in SQL, since a JavaScript Date would lose the microseconds.
    return after === undefined
      ? page
      : page.where(sql<SqlBool>`(${sortKey}) < (select ${sortKey} from ${row})`);
  };
  const page = narrowed(typeof query === "function" ? query(narrowed) : query);
  if (!bytes) return page.execute();
  const before = sql<number>`sum(${bytes}) over (order by ${descending(order.map(({ column }) => column))} rows unbounded preceding) - (${bytes})`;
  const { rows } = await sql<Row>`
    select * from ${page.select(before.as("bytes_before"))} as page where bytes_before < ${sql.lit(PAGE_BYTES)}
    order by ${descending(order.map(({ name }) => sql.ref(`page.${name}`)))}`.execute(db);
  return rows;
}
