import type { Database } from "@grove/db";
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

/** The most commands in one statement: each result may be 1 MiB. */
export const MAX_BATCH = 32;

/**
 * A hint for the planner, true for every given row. For rows from an array or JSON the planner assumes a hundred, and
 * then scans small tables. For a bounded range of `n` it expects a few, and looks each up by its index.
 */
export const isInBatch = sql`n between 0 and ${sql.lit(MAX_BATCH)}`;

type Type = "integer" | "float8" | "boolean" | "text" | "text[]" | "uuid" | "jsonb";

/**
 * Compiles a statement that takes one row or a batch of rows. A batch is given as JSON. A single row is given as
 * parameters: that spares making and reading JSON, and lets the planner see the values.
 * @param columns of a row, with their types; the row's number is added as `n`
 * @param statement gets the rows as a CTE named `given`
 */
export function batchStatement<Row extends object, Result>(
  db: Kysely<Database>,
  columns: { [Column in keyof Row]-?: Type },
  statement: (given: RawBuilder<unknown>) => RawBuilder<Result>,
): (rows: readonly Row[]) => CompiledQuery<Result> {
  const all = Object.entries<Type>(columns);
  const values = all.map(([name, type]) => sql`${name}::${sql.raw(type)} as ${sql.ref(name)}`);
  const types = all.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  // Compiled once: compiling takes as long as sending.
  const one = statement(sql`given as not materialized (select 0 as n, ${sql.join(values)})`).compile(db);
  const several = statement(sql`given as materialized (
    select * from json_to_recordset(${"rows"}::json) as row (n integer, ${sql.join(types)}) where ${isInBatch})`).compile(
    db,
  );
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
