import { type Kysely, sql } from "kysely";
import { ClockSkewError } from "./errors";
import type { Database } from "./tables";

/**
 * How far the clock of this machine may differ from the database's. Ids and the expiry of sessions follow this
 * machine's clock, everything else the database's.
 */
const MAX_SKEW_MS = 3_600_000;

/** @throws {ClockSkewError} if this machine's clock and the database's differ by more than an hour */
export async function requireSameTime(db: Kysely<Database>): Promise<void> {
  const began = Date.now();
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  const aheadMs = (began + Date.now()) / 2 - (rows[0]?.ms ?? Number.NaN);
  if (Math.abs(aheadMs) > MAX_SKEW_MS) throw new ClockSkewError(aheadMs);
}
