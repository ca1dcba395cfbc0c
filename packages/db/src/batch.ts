import { DAY_MS } from "@grove/schemas";
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { isUnavailable } from "./errors";
import type { Database } from "./tables";

export interface BatchOptions<Item = never> {
  /** The most items that one statement takes. */
  maxItems: number;
  /** How many statements may be in flight; later items wait until one of them ends. No limit by default. */
  inFlight?: number;
  /** Wraps each statement, with its items, for measurements. */
  measure?: Measure<Item> | undefined;
}

/** Measures the run of a batch, and returns its result. */
export type Measure<Item> = <Result>(items: readonly Item[], run: () => Promise<Result>) => Promise<Result>;

/** A call that waits for its statement. */
interface Call<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Batches concurrent calls into one statement. When idle it collects until the next microtask. When busy it collects
 * for one turn of the event loop, or until one of `inFlight` statements ends. So a busy server makes one statement and
 * one commit for many requests, and a single request waits for nothing. Results are not cached: each call is answered
 * by a statement that begins after it.
 * @param run one statement for all these items, which returns their answers in order. If it fails for a reason of its
 * own, each item is tried alone, so that only items which are at fault fail.
 */
export function batch<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { maxItems, inFlight = Number.POSITIVE_INFINITY, measure = (_, work) => work() }: BatchOptions<Item>,
): (item: Item) => Promise<Answer> {
  const queue: Call<Item, Answer>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queue.length === 0 || running >= inFlight) return;
    isScheduled = true;
    // On a busy server, after the event loop has read its sockets, from which requests come.
    if (running === 0) queueMicrotask(start);
    else setImmediate(start);
  }

  function start(): void {
    isScheduled = false;
    void settle(queue.splice(0, maxItems));
    schedule();
  }

  async function settle(calls: readonly Call<Item, Answer>[]): Promise<void> {
    const items = calls.map(({ item }) => item);
    running++;
    const failure = await measure(items, () => run(items))
      .then((answers) => answerAll(calls, answers))
      .catch((error: unknown) => ({ error }));
    running--;
    schedule();
    if (failure === undefined) return;
    // If the connection was lost, the statement may have taken effect, so it is not repeated.
    if (calls.length === 1 || isUnavailable(failure.error))
      for (const { reject } of calls) reject(failure.error);
    else for (const call of calls) await settleAlone(call);
  }

  /**
   * Retries run one at a time, beside the statements in flight, so that items that wait for a lock occupy one
   * connection.
   */
  async function settleAlone(call: Call<Item, Answer>): Promise<void> {
    await run([call.item]).then((answers) => answerAll([call], answers), call.reject);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      schedule();
    });
}

function answerAll<Item, Answer>(
  calls: readonly Call<Item, Answer>[],
  answers: readonly Answer[],
): undefined {
  // `run` returns an answer for each item.
  for (const [index, { resolve }] of calls.entries()) resolve(answers[index] as Answer);
}

/** How many statements are cached, each for the weeks of its ids. */
const MAX_WEEKS = 16;
const WEEK_MS = 7 * DAY_MS;
/** The week that an id of version 7 was made in; weeks begin on Monday, and 1970 on a Thursday. */
const weekOf = (id: string): number =>
  Math.floor((Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + 3 * DAY_MS) / WEEK_MS);

/** The most rows in one statement: each may be 1 MiB. */
const MAX_ROWS = 32;

type Type = "integer" | "float8" | "boolean" | "text" | "text[]" | "uuid" | "jsonb";

/**
 * Batches concurrent calls, each with one row, into one statement. It takes the rows in the order of their ids, so that
 * statements which lock several rows do not deadlock.
 * @param columns of a row, with their types
 * @param statement gets the rows as a CTE named `given`, numbered by `n`. It returns at most one answer for each, with
 * the same `n`. It also gets the first and the last id
 * @param options.byWeek whether the statement names the weeks of these ids, by `weekRange`
 * @returns a function that resolves to the answer for its row, or to undefined if there is none
 */
export function batchedStatement<Row extends { id: string }, Answer extends { n: number }>(
  db: Kysely<Database>,
  columns: { [Column in keyof Row]-?: Type },
  statement: (given: RawBuilder<unknown>, ids: readonly string[]) => RawBuilder<Answer>,
  { byWeek = false, ...options }: Omit<BatchOptions<Row>, "maxItems"> & { byWeek?: boolean } = {},
): (row: Row) => Promise<Answer | undefined> {
  const byWeeks = new Map<string, ReturnType<typeof compile<Row, Answer>>>();
  const compileFor = (rows: readonly Row[]) => {
    const [first = "", last = ""] = [rows[0]?.id, rows.at(-1)?.id];
    const weeks = byWeek ? `${weekOf(first)} ${weekOf(last)}` : "";
    let compiled = byWeeks.get(weeks);
    if (!compiled) {
      if (byWeeks.size >= MAX_WEEKS) byWeeks.clear();
      compiled = compile(db, columns, (given) => statement(given, [first, last]));
      byWeeks.set(weeks, compiled);
    }
    return compiled(rows);
  };
  const run = async (rows: readonly Row[]) => {
    const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
    const answered = await db.executeQuery(compileFor(sorted));
    const answers = new Map(answered.rows.map((answer) => [sorted[answer.n], answer]));
    return rows.map((row) => answers.get(row));
  };
  return batch(run, { maxItems: MAX_ROWS, ...options });
}

/**
 * Compiles a statement that takes one row or several. Several are given as JSON. A single row is given as parameters:
 * that spares making and reading JSON, and lets the planner see the values.
 */
function compile<Row extends object, Answer>(
  db: Kysely<Database>,
  columns: { [Column in keyof Row]-?: Type },
  statement: (given: RawBuilder<unknown>) => RawBuilder<Answer>,
): (rows: readonly Row[]) => CompiledQuery<Answer> {
  const all = Object.entries<Type>(columns);
  const values = all.map(([name, type]) => sql`${name}::${sql.raw(type)} as ${sql.ref(name)}`);
  const types = all.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  // Compiled once: compiling takes as long as sending.
  const one = statement(sql`given as not materialized (select 0 as n, ${sql.join(values)})`).compile(db);
  // The range is a hint for the planner, true for every row. For rows of JSON the planner assumes a hundred, and then
  // scans small tables. For a bounded range of `n` it expects a few, and looks each up by its index.
  const several = statement(sql`given as materialized (
    select * from json_to_recordset(${"rows"}::json) as row (n integer, ${sql.join(types)})
    where n between 0 and ${sql.lit(MAX_ROWS)})`).compile(db);
  return (rows) => {
    const [row] = rows;
    if (!row || rows.length > 1)
      return { ...several, parameters: [JSON.stringify(rows.map((each, n) => ({ n, ...each })))] };
    const parameters = all.map(([name, type]) => {
      const value: unknown = Reflect.get(row, name) ?? null;
      return type === "jsonb" && value !== null ? JSON.stringify(value) : value;
    });
    return { ...one, parameters };
  };
}
