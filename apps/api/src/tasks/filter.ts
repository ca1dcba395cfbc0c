import type { Database } from "@grove/db";
import type { TaskCountInput, TaskStatusType } from "@grove/schemas";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { foldForSearch } from "./searchText";

type Condition = RawBuilder<SqlBool>;

/**
 * The condition for an organization's tasks that are not deleted and pass the filter. Undefined when no task passes:
 * nothing has such a status, label or text.
 */
export async function matching(db: Kysely<Database>, filter: TaskCountInput): Promise<Condition | undefined> {
  const { assigneeId, unassigned, creatorId, priority, branch, labels, projectId, search } = filter;
  const statuses = await statusesOf(db, filter);
  if (statuses?.length === 0) return undefined;
  const conditions: Condition[] = [sql`tasks.deleted_at is null`];
  /** Conditions that the planner cannot judge: it may search for them from the newest task to the oldest. */
  const unjudged: Condition[] = [];
  // A single status is compared with `=`: its index then yields the tasks in their order.
  if (statuses?.length === 1) conditions.push(sql`tasks.status = ${statuses[0]}`);
  else if (statuses) conditions.push(sql`tasks.status = any(${statuses}::text[])`);
  if (assigneeId) conditions.push(sql`tasks.assignee_id = ${assigneeId}`);
  if (unassigned) conditions.push(sql`tasks.assignee_id is null`);
  if (branch !== undefined) conditions.push(sql`tasks.branch = ${branch}`);
  if (creatorId) conditions.push(sql`tasks.creator_id = ${creatorId}`);
  if (priority) conditions.push(sql`tasks.priority = ${priority}`);
  if (projectId) conditions.push(sql`tasks.project_id = ${projectId}`);
  if (labels?.length) {
    const labelled: Condition = sql`tasks.labels @> ${labels}::text[]`;
    conditions.push(labelled);
    unjudged.push(labelled);
  }
  if (search) {
    const text = foldForSearch(search).slice(0, MOST_SEARCHED);
    conditions.push(containing(text));
    if (!hasTrigram(text) && !(await isCommon(db, filter.organizationId, text))) {
      const few = await fewWithBigrams(db, filter.organizationId, text);
      if (few?.length === 0) return undefined;
      if (few) conditions.push(sql`tasks.id = any(${few}::uuid[])`);
    }
  }
  for (const condition of unjudged) {
    const few = await fewWith(db, filter.organizationId, condition);
    if (few?.length === 0) return undefined;
    if (few) conditions.push(sql`tasks.id = any(${few}::uuid[])`);
  }
  return sql.join<boolean>(conditions, sql` and `);
}

/**
 * The keys of the statuses that a filter means: a key, otherwise a type. Undefined when it names none. An unknown one
 * means no status, and so no task.
 */
async function statusesOf(
  db: Kysely<Database>,
  { organizationId, status }: TaskCountInput,
): Promise<string[] | undefined> {
  if (status === undefined) return undefined;
  const rows = await db
    .selectFrom("task_statuses")
    .select("key")
    .where("organization_id", "=", organizationId)
    // Any other text is no type, and matches nothing.
    .where((eb) => eb.or([eb("key", "=", status), eb("type", "=", status as TaskStatusType)]))
    .execute();
  const keys = rows.map(({ key }) => key);
  return keys.includes(status) ? [status] : keys;
}

/** As many tasks as are read and sorted in a moment. */
const FEW = 1_000;

/** The tasks that meet a condition, if they are few; undefined if they are many. */
async function fewWith(
  db: Kysely<Database>,
  organizationId: string,
  condition: Condition,
): Promise<string[] | undefined> {
  const rows = await db
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(condition)
    .limit(FEW)
    .execute();
  return rows.length < FEW ? rows.map(({ id }) => id) : undefined;
}

/** As {@link fewWith}, for tasks that have each two neighboring characters of a text: most of these contain it. */
async function fewWithBigrams(
  db: Kysely<Database>,
  organizationId: string,
  text: string,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks_with_bigrams(${organizationId}, ${bigramQuery(text)}::tsquery, ${FEW}) as id`.execute(
    db,
  );
  return rows.length < FEW ? rows.map(({ id }) => id) : undefined;
}

/** How many of the newest tasks are looked at, and how many of them have a text that is common. */
const NEWEST = { looked: 100, common: 20 };

/**
 * Whether so many tasks have a letter or two that a page of them is quickly found without an index. Then the index
 * would take longer, as it lists all of these tasks first. Longer texts may be those of the newest tasks only.
 */
async function isCommon(db: Kysely<Database>, organizationId: string, text: string): Promise<boolean> {
  if (!/^[a-z0-9]{1,2}$/.test(text)) return false;
  const newest = db
    .selectFrom("tasks")
    .select("search_text")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(NEWEST.looked);
  const { found } = await db
    .selectFrom(newest.as("tasks"))
    .where(containing(text))
    .select((eb) => eb.fn.countAll<string>().as("found"))
    .executeTakeFirstOrThrow();
  return Number(found) >= NEWEST.common;
}

/**
 * Whether pg_trgm's index can find a text. It knows only letters and digits, three in a row, and in some locales only
 * those of ASCII.
 */
const hasTrigram = (text: string): boolean => /[a-z0-9]{3}/.test(text);

/** A longer folded text is searched by its beginning. Folding makes up to 18 characters of one. */
const MOST_SEARCHED = 400;

/** For a longer text, LIKE and strpos may compare all of it at each place of the searched text. */
const SHORT = 16;

/** Whether a task's search text contains a folded text. The time depends on the length of the searched text alone. */
function containing(text: string): Condition {
  // A regular expression is matched by an automaton: once for each character. `***=` makes the rest a plain text.
  const exactly: Condition = sql`tasks.search_text ~ ${`***=${text}`}`;
  const characters = [...text];
  const isShort = characters.length <= SHORT;
  // For LIKE the planner may read the whole of pg_trgm's index.
  if (!hasTrigram(text)) return isShort ? sql`strpos(tasks.search_text, ${text}) > 0` : exactly;
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += SHORT)
    pieces.push(
      characters
        .slice(at, at + SHORT)
        .join("")
        .replace(/[\\%_]/g, "\\$&"),
    );
  const like: Condition = sql`tasks.search_text like ${`%${pieces.join("%")}%`}`;
  return isShort ? like : sql`${like} and ${exactly}`;
}

/** A tsquery for texts with each two neighbouring characters of this one, or with its only character. */
function bigramQuery(text: string): string {
  const characters = [...text];
  const pairs = characters.slice(1).map((next, at) => `${characters[at]}${next}`);
  const grams = new Set(pairs.length > 0 ? pairs : characters);
  return [...grams].map((gram) => `'${gram.replace(/['\\]/g, "$&$&")}'`).join(" & ");
}
