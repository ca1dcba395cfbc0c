import type { Database } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";

/** What one instance does at a time, each with an advisory lock. The numbers are arbitrary; only this file uses them. */
const locks = { sweeping: 7_236_001, cleaning: 7_236_002 };

/** Runs `work` in a transaction; undefined when another instance is at the same at this moment. */
export const alone = <Result>(
  db: Kysely<Database>,
  what: keyof typeof locks,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result | undefined> =>
  db.transaction().execute(async (trx) => {
    const lock = sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(locks[what])}) as ours`;
    const { rows } = await lock.execute(trx);
    return rows[0]?.ours ? work(trx) : undefined;
  });
