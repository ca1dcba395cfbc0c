import { type RawBuilder, sql } from "kysely";

/**
 * A condition, always true, that limits how long the rest of its transaction waits for a lock; see
 * `isStatementTimeout`. It is part of the statement because a separate one would be another round trip. As a subquery
 * without references it is evaluated before the first row is read.
 */
export const lockWithin = (ms: number): RawBuilder<boolean> =>
  sql`(select set_config('lock_timeout', ${sql.lit(String(ms))}, true)) is not null`;
