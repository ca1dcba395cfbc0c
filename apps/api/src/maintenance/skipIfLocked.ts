import { type Database, isLockTimeout, lockWithin } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import { withAdvisoryLock } from "../lib/advisoryLock";

/** The lock timeout. While a statement waits for a lock on a table, other statements queue behind it. */
const LOCK_MS = 100;

/**
 * Attaches or drops partitions, in its own transaction and on one instance. Returns false, with nothing changed, if the
 * table's lock was not granted in time. The next run tries again.
 */
export async function skipIfLocked(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<void>,
): Promise<boolean> {
  const changed = withAdvisoryLock(db, "cleaning", async (trx) => {
    await sql`select ${lockWithin(LOCK_MS)}`.execute(trx);
    await change(trx);
    return true;
  });
  return changed.catch((error) => {
    if (!isLockTimeout(error)) throw error;
    return false;
  });
}
