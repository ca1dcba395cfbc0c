import { sql } from "kysely";

/** Most commands in one statement: a result may have a megabyte. */
export const MOST_AT_ONCE = 32;

/**
 * What all rows have that a statement is given, numbered by `n`. Of rows from an array or JSON the planner knows nothing,
 * and takes a hundred; of a range it expects few, and so looks each up by its index, however small the table.
 */
export const isOneOfFew = sql`n between 0 and ${sql.lit(MOST_AT_ONCE)}`;
