import { type RawBuilder, sql } from "kysely";

/**
 * An interval of this many milliseconds. A number becomes a literal, which the planner knows. Pass a value that differs
 * from call to call as an expression, so that the statement's text stays the same.
 */
export const milliseconds = (count: number | RawBuilder<unknown>): RawBuilder<unknown> =>
  typeof count === "number"
    ? sql`interval ${sql.lit(`${count} milliseconds`)}`
    : sql`${count} * interval '1 millisecond'`;
