import { type Database, isLockTimeout, isSerializationFailure, lockWithin } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";

/** Well under `deadlock_timeout`, after which PostgreSQL checks for a deadlock and aborts a transaction. */
const LOCK_MS = 200;
const ATTEMPTS = 25;

/**
 * Runs a transaction that takes its locks in an unusual order, such as a deletion that cascades. Where it would wait
 * for others it gives way, so that PostgreSQL ends none of them as a deadlock. It is then run again, for about five
 * seconds.
 * @throws {unknown} the error of the last attempt
 */
export async function retryOnDeadlock<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`select ${lockWithin(LOCK_MS)}`.execute(trx);
        return work(trx);
      });
    } catch (error) {
      const isConflict = isLockTimeout(error) || isSerializationFailure(error);
      if (!isConflict || attempt === ATTEMPTS) throw error;
    }
}
