import type { Database } from "@grove/db";
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

/** Most commands in one statement: a result may have a megabyte. */
export const MAX_BATCH = 32;

/**
 * What all rows have that a statement is given, numbered by `n`. Of rows from an array or JSON the planner knows nothing,
 * and takes a hundred; of a range it expects few, and so looks each up by its index, however small the table.
 */
const isInBatch = sql`n between 0 and ${sql.lit(MAX_BATCH)}`;

type Type = "integer" | "float8" | "boolean" | "text" | "text[]" | "uuid" | "jsonb";

/**
 * A statement for what comes together. Several rows are given as JSON; one that comes alone, as parameters: that spares
 * making and reading JSON, and the planner sees through it.
 * @param columns of a row, with their types; its number is added, as `n`
 * @param statement gets the rows as a CTE named `given`
 */
export function batchStatement<Row extends object>(
  db: Kysely<Database>,
  columns: { [Column in keyof Row]-?: Type },
  statement: (given: RawBuilder<unknown>) => RawBuilder<unknown>,
): (rows: readonly Row[]) => CompiledQuery {
  const all = Object.entries<Type>(columns);
  const values = all.map(([name, type]) => sql`${name}::${sql.raw(type)} as ${sql.ref(name)}`);
  const types = all.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  // Compiled once: that takes as long as to send it.
  const one = statement(sql`given as not materialized (select 0 as n, ${sql.join(values)})`).compile(db);
  const several = statement(sql`given as materialized (
    select * from json_to_recordset(${"rows"}::json) as row (n integer, ${sql.join(types)}) where ${isInBatch})`).compile(
    db,
  );
  return (rows) => {
    const [row] = rows as readonly Record<string, unknown>[];
    if (!row || rows.length > 1)
      return { ...several, parameters: [JSON.stringify(rows.map((each, n) => ({ n, ...each })))] };
    const parameters = all.map(([name, type]) => {
      const value = row[name] ?? null;
      return type === "jsonb" && value !== null ? JSON.stringify(value) : value;
    });
    return { ...one, parameters };
  };
}
