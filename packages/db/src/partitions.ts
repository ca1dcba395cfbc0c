import { DAY_MS } from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { firstIdAt, timeOfId } from "./ids";
import type { Database } from "./tables";

/**
 * The partitioned tables, and the span of a partition. Rows are partitioned by the time of their ids. Dropping a
 * partition costs nothing compared with deleting its rows.
 */
const partitioned = { analytics_events: "month", device_commands: "week" } as const;

type Unit = "week" | "month";
export type Partitioned = keyof typeof partitioned;

/** A partition: the ids of its rows were made at `from` or later, and before `to`. */
export interface Partition {
  name: string;
  /** Null for the first partition, which has all ids before `to`. */
  from: Date | null;
  to: Date;
}

/** How many future partitions are created. */
const PARTITIONS_AHEAD = 2;

/**
 * Returns the name of the default partition. It is empty unless a clock was wrong, an id is not of version 7, or the
 * partitions were not created in time.
 */
export const defaultPartition = (table: string): string => `${table}_rest`;

/** Returns a table's partitions, oldest first, without the default partition. */
export async function partitionsOf(db: Kysely<Database>, table: Partitioned): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = to_regclass(${table})`.execute(db);
  return rows
    .flatMap(({ name, bound }) => {
      const [, from = "", to] = /FROM \('?([^')]+)'?\) TO \('([^']+)'\)/.exec(bound) ?? [];
      return to === undefined
        ? []
        : [{ name, from: from === "MINVALUE" ? null : timeOfId(from), to: timeOfId(to) }];
    })
    .sort((a, b) => a.to.getTime() - b.to.getTime());
}

/**
 * Creates the partitions of a new table: the default partition, those of the current and the next spans, and one for
 * all earlier ids, which a restored backup may contain.
 */
export async function createPartitions(db: Kysely<Database>, table: Partitioned): Promise<void> {
  const now = await databaseTime(db);
  const start = sql.lit(firstIdAt(startOf(partitioned[table], now)));
  const past = `${table}_before`;
  await createLike(db, table, past);
  await attach(db, table, past, sql`for values from (minvalue) to (${start})`);
  await createLike(db, table, defaultPartition(table));
  await attach(db, table, defaultPartition(table), sql`default`);
  await addPartitions(db, table, now);
}

/**
 * Creates the missing partitions of the current and the next spans. Their rows are moved from the default partition.
 * @param db a transaction
 * @param now the database's time; see {@link databaseTime}
 */
export async function addPartitions(db: Kysely<Database>, table: Partitioned, now: Date): Promise<void> {
  const unit = partitioned[table];
  const partitions = await partitionsOf(db, table);
  let from = startOf(unit, now);
  for (let count = 0; count <= PARTITIONS_AHEAD; count++) {
    const [begin, to] = [from, next(unit, from)];
    const isCovered = partitions.some(({ from, to }) => (from === null || from <= begin) && to > begin);
    if (!isCovered) await addPartition(db, table, begin, to);
    from = to;
  }
}

/** The database's time. Retention uses this clock, which all processes share. */
export async function databaseTime(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db);
  return new Date(rows[0]?.now ?? Number.NaN);
}

export async function dropPartition(db: Kysely<Database>, { name }: Partition): Promise<void> {
  await sql`drop table ${sql.table(name)}`.execute(db);
}

/** Creates one partition, in the steps that lock the least. */
async function addPartition(db: Kysely<Database>, table: Partitioned, from: Date, to: Date): Promise<void> {
  const name = nameOf(table, from);
  const [first, last] = [firstIdAt(from), firstIdAt(to)];
  await createLike(db, table, name);
  await sql`with moved as (delete from ${sql.table(defaultPartition(table))} where id >= ${first} and id < ${last} returning *)
    insert into ${sql.table(name)} select * from moved`.execute(db);
  await attach(db, table, name, sql`for values from (${sql.lit(first)}) to (${sql.lit(last)})`);
}

async function createLike(db: Kysely<Database>, table: Partitioned, name: string): Promise<void> {
  await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(db);
}

/** Attaches a partition. Its indexes are named like the parent's: plans and statistics show these names. */
async function attach(
  db: Kysely<Database>,
  table: Partitioned,
  name: string,
  bound: RawBuilder<unknown>,
): Promise<void> {
  await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)} ${bound}`.execute(db);
  const { rows } = await sql<{ own: string; parent: string }>`
    select own.relname as own, parent.relname as parent
    from pg_index join pg_class as own on own.oid = indexrelid
    join pg_inherits on inhrelid = indexrelid join pg_class as parent on parent.oid = inhparent
    where indrelid = to_regclass(${name})`.execute(db);
  for (const { own, parent } of rows)
    await sql`alter index ${sql.id(own)} rename to ${sql.id(parent + name.slice(table.length))}`.execute(db);
}

/** `analytics_events_2026_11_01`: the first day of the partition. */
const nameOf = (table: string, from: Date) =>
  `${table}_${from.toISOString().slice(0, 10).replaceAll("-", "_")}`;

/** Returns the start of the week (Monday) or month that contains a time, in UTC. */
export function startOf(unit: Unit, time: Date): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (unit === "month") return new Date(Date.UTC(year, month));
  return new Date(Date.UTC(year, month, day - ((time.getUTCDay() + 6) % 7)));
}

/** The start of the next week or month. */
export function next(unit: Unit, start: Date): Date {
  if (unit === "month") return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  return new Date(start.getTime() + 7 * DAY_MS);
}

/** Statements about older commands have no week literals, which would make too many prepared statements. */
const LITERAL_WEEKS_MS = 6 * 7 * DAY_MS;
/** How far another machine's clock may be ahead of this one's; see `clockSkew.ts`. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;

/**
 * Returns a condition that is true for these ids of commands, with the bounds of their weeks as literals. The planner
 * then reads only these partitions, and all commands of a week share one prepared statement.
 * @param column the id's name in the statement
 */
export function weekRange(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const times = ids.map((id) => timeOfId(id).getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const now = Date.now();
  if (!(first > now - LITERAL_WEEKS_MS && last < now + LITERAL_WEEKS_MS)) return sql`true`;
  return within(column, startOf("week", new Date(first)), next("week", startOf("week", new Date(last))));
}

/** Returns the week of this time and the week before. */
export function recentWeeks(time = Date.now()): { from: Date; to: Date } {
  const present = startOf("week", new Date(time + MAX_CLOCK_DIFFERENCE_MS));
  return { from: new Date(present.getTime() - 7 * DAY_MS), to: next("week", present) };
}

/** Returns the condition that a command was created this week or the week before, so that two partitions are read. */
export function inRecentWeeks(column: string, time?: number): RawBuilder<boolean> {
  const { from, to } = recentWeeks(time);
  return within(column, from, to);
}

/** SQL that counts a device's open commands older than {@link inRecentWeeks}, up to `max`. */
export const olderOpenCommands = (
  organization: RawBuilder<unknown>,
  device: RawBuilder<unknown>,
  max: number,
) =>
  sql<number>`open_commands_before(${organization}, ${device}, ${sql.lit(firstIdAt(recentWeeks().from))}, ${sql.lit(max)})`;

const within = (column: string, from: Date, to: Date) =>
  sql<boolean>`${sql.ref(column)} >= ${sql.lit(firstIdAt(from))} and ${sql.ref(column)} < ${sql.lit(firstIdAt(to))}`;
