import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { expect } from "vitest";

/** Watches statements that wait for a lock in a test file's database on PostgreSQL. */
export function watchLocks(db: Kysely<Database>) {
  /** How many statements that contain this text wait. */
  const waiting = async (text: string) => {
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(db);
    return rows.length;
  };
  return {
    /** Resolves once a statement that contains this text waits for a lock. */
    untilLocked: (text: string) => expect.poll(() => waiting(text)).toBeGreaterThan(0),
    /** Resolves once no such statement waits for a lock. */
    untilNoneLocked: (text: string) => expect.poll(() => waiting(text), { timeout: 20_000 }).toBe(0),
  };
}
