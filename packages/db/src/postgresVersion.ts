import { type Kysely, sql } from "kysely";
import { PostgresTooOldError } from "./errors";
import type { Database } from "./tables";

/** The first version with `on delete set null (column)` and `nulls not distinct`, which the schema uses. */
export const OLDEST = 15;

/** @throws {PostgresTooOldError} for a server of an older version */
export async function requireSupportedVersion(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db);
  requireSupported(Number(rows[0]?.server_version_num));
}

/** @param number as PostgreSQL reports it: 150004 is 15.4 */
export function requireSupported(number: number): void {
  const major = Math.floor(number / 10_000);
  if (major < OLDEST) throw new PostgresTooOldError(major, OLDEST);
}
