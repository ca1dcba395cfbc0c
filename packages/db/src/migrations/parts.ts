import { type Kysely, sql } from "kysely";
import { firstIdAt } from "../ids";
import { addPartition, defaultPartition, nameIndexes, next, startOf } from "../partitions";

/** How many parts are made. */
const PARTS = 3;

/**
 * Keeps a table in parts by the time of its ids from now on. The table that there is becomes the first part, with its
 * rows, indexes and foreign keys as they are: nothing is written again. Its name and its indexes' names go to the
 * table of all parts.
 */
export async function keepInParts(db: Kysely<unknown>, table: string, unit: "week" | "month"): Promise<void> {
  const [whole, first, rest] = [table, `${table}_before`, defaultPartition(table)].map((name) =>
    sql.table(name),
  );
  const isEmpty = (await sql`select from ${whole} limit 1`.execute(db)).rows.length === 0;
  // Rows that another instance is just making still belong to the first part.
  const present = startOf(unit, new Date());
  const bound = isEmpty ? present : next(unit, present);
  const copied = await definitionsOf(db, table);
  await sql`alter table ${whole} rename to ${sql.id(`${table}_before`)}`.execute(db);
  for (const { name, kind } of copied)
    if (kind !== "foreign")
      await sql`alter index ${sql.id(name)} rename to ${sql.id(`${name}_before`)}`.execute(db);
  await sql`create table ${whole} (like ${first} including defaults including constraints including storage)
    partition by range (id)`.execute(db);
  for (const { name, kind, definition } of copied)
    await (kind === "index"
      ? sql.raw(definition)
      : sql`alter table ${whole} add constraint ${sql.id(name)} ${sql.raw(definition)}`
    ).execute(db);
  await sql`create table ${rest} (like ${whole} including all)`.execute(db);
  // None but those of a clock that is wrong, or of a test.
  await sql`with moved as (delete from ${first} where id >= ${firstIdAt(bound)} returning *)
    insert into ${rest} select * from moved`.execute(db);
  await sql`alter table ${whole} attach partition ${first}
    for values from (minvalue) to (${sql.lit(firstIdAt(bound))})`.execute(db);
  await sql`alter table ${whole} attach partition ${rest} default`.execute(db);
  await nameIndexes(db, table, defaultPartition(table));
  for (let from = bound, count = 0; count < PARTS; count++) {
    const to = next(unit, from);
    await addPartition(db, table, from, to);
    from = to;
  }
}

interface Definition {
  name: string;
  kind: "primary" | "foreign" | "index";
  definition: string;
}

/** Keys and indexes, which `create table … like` does not copy for a table of parts. */
async function definitionsOf(db: Kysely<unknown>, table: string): Promise<Definition[]> {
  const { rows } = await sql<Definition>`
    select conname as name, case contype when 'p' then 'primary' else 'foreign' end as kind,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = to_regclass(${table}) and contype in ('p', 'f')
    union all
    select relname, 'index', pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = to_regclass(${table})
      and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
    order by kind desc, name`.execute(db);
  return rows;
}
