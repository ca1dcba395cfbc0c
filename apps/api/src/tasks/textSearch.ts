import type { Database, GroveDatabase } from "@grove/db";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { foldForSearch } from "./searchText";

export type Condition = RawBuilder<SqlBool>;

/** The number of tasks that are read and sorted in a few milliseconds. */
export const MAX_SORTED_TASKS = 1_000;

/** How many texts one statement compares. Each has at most 50 000 characters, so a statement takes a moment. */
const TEXTS_PER_STATEMENT = 50;

/** How long the embedded engine may compare texts in one statement. All other calls wait for that. */
const COMPARE_LIMIT = sql`interval '1 second'`;

/**
 * The condition for an organization's tasks that contain a text. Undefined when no task does.
 *
 * PostgreSQL ends a statement after 5 s, and other statements run beside it. The embedded engine can do neither. So it
 * uses no index of trigrams, which compares the texts of all tasks that it finds.
 */
export async function withText(
  db: Kysely<Database>,
  engine: GroveDatabase["engine"],
  organizationId: string,
  search: string,
): Promise<Condition | undefined> {
  const text = foldForSearch(search).slice(0, MAX_SEARCH_CHARACTERS);
  const isEmbedded = engine === "pglite";
  const condition = isEmbedded ? withinTime(containing(text)) : containing(text);
  if ((!isEmbedded && hasTrigram(text)) || (await isCommon(db, organizationId, text))) return condition;
  const few = await fewWithBigrams(db, organizationId, text);
  if (!few) return condition;
  const found: string[] = [];
  // One statement after another: other callers have their turns in between.
  for (let at = 0; at < few.length; at += TEXTS_PER_STATEMENT)
    found.push(...(await compared(db, organizationId, few.slice(at, at + TEXTS_PER_STATEMENT), condition)));
  return found.length > 0 ? sql`tasks.id = any(${found}::uuid[])` : undefined;
}

async function compared(
  db: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
  condition: Condition,
): Promise<string[]> {
  const rows = await db
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .where(condition)
    .execute();
  return rows.map(({ id }) => id);
}

/** A condition that ends its statement when that takes too long. A CASE is evaluated in its order. */
const withinTime = (condition: Condition): Condition =>
  sql`case when require_time(${COMPARE_LIMIT}) then ${condition} end`;

/** The tasks that have each two neighboring characters of a text, if they are few: most of these contain it. */
async function fewWithBigrams(
  db: Kysely<Database>,
  organizationId: string,
  text: string,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks_with_bigrams(${organizationId}, ${bigramQuery(text)}::tsquery, ${MAX_SORTED_TASKS}) as id`.execute(
    db,
  );
  return rows.length < MAX_SORTED_TASKS ? rows.map(({ id }) => id) : undefined;
}

/** How many of the newest tasks are checked, and how many of them contain a text that is common. */
const NEWEST = { looked: 100, common: 20 };

/**
 * Whether one or two letters match so many tasks that scanning the newest tasks beats the index, which would list every
 * match first. Not for longer texts: a match in the newest tasks may be their only one.
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
 * Whether pg_trgm's index can find a text. The index has only letters and digits, three in a row, and in some locales
 * only those of ASCII.
 */
const hasTrigram = (text: string): boolean => /[a-z0-9]{3}/.test(text);

/** A longer folded text is searched by its beginning. Folding makes up to 18 characters of one. */
const MAX_SEARCH_CHARACTERS = 400;

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

/** Returns a tsquery that matches texts with every bigram of this one, or with its only character. */
function bigramQuery(text: string): string {
  const characters = [...text];
  const pairs = characters.slice(1).map((next, at) => `${characters[at]}${next}`);
  const grams = new Set(pairs.length > 0 ? pairs : characters);
  return [...grams].map((gram) => `'${gram.replace(/['\\]/g, "$&$&")}'`).join(" & ");
}
