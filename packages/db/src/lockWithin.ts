import { type RawBuilder, sql } from "kysely";

/**
 * A condition, always true, that bounds how long the rest of its transaction waits for a lock; see `isStatementTimeout`.
 * A part of the statement, since one before it would be another round trip. As a subquery that refers to nothing it is
 * evaluated before the first row is looked at.
 */
export const lockWithin = (ms: number): RawBuilder<boolean> =>
  sql`(select set_config('lock_timeout', ${sql.lit(String(ms))}, true)) is not null`;
