import type { Database } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";

/** The advisory locks of the jobs that one instance does at a time. The numbers are arbitrary. */
const locks = { sweeping: 7_236_001, cleaning: 7_236_002, notifying: 7_236_003 };

/** Runs `work` in a transaction; returns undefined while another instance does the same job. */
export const tryWithAdvisoryLock = <Result>(
  db: Kysely<Database>,
  what: keyof typeof locks,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result | undefined> =>
  db.transaction().execute(async (trx) => {
    const lock = sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(locks[what])}) as ours`;
    const { rows } = await lock.execute(trx);
    return rows[0]?.ours ? work(trx) : undefined;
  });

/** Runs `work` in a transaction once no other instance does the same job. For short work. */
export const withAdvisoryLock = <Result>(
  db: Kysely<Database>,
  what: keyof typeof locks,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(locks[what])})`.execute(trx);
    return work(trx);
  });
