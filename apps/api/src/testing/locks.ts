import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { expect } from "vitest";

/** Who waits for a lock in a test file's database on PostgreSQL. */
export function watchLocks(db: Kysely<Database>) {
  /** How many statements with this text wait. */
  const waiting = async (text: string) => {
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(db);
    return rows.length;
  };
  return {
    /** Resolves when a statement with this text waits. */
    untilLocked: (text: string) => expect.poll(() => waiting(text)).toBeGreaterThan(0),
    /** Resolves when none does any more. */
    untilNoneLocked: (text: string) => expect.poll(() => waiting(text), { timeout: 20_000 }).toBe(0),
  };
}
