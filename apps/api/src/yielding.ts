import { type Database, isLockTimeout, isSerializationFailure, lockWithin } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";

/** Well under the second after which PostgreSQL looks for a deadlock and ends one of those in it. */
const LOCK_MS = 200;
const ATTEMPTS = 25;

/**
 * A transaction whose locks come in no order that the others keep, such as a deletion that cascades. It gives way where it
 * would wait for them, so that none of them is ended for its sake, and is run again, for about five seconds.
 * @throws what the last attempt failed with
 */
export async function yielding<T>(
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
      const lost = isLockTimeout(error) || isSerializationFailure(error);
      if (!lost || attempt === ATTEMPTS) throw error;
    }
}
