import { type Database, isLockTimeout, lockWithin } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import { inTurn } from "../lib/advisoryLock";

/** Others wait behind a statement that waits for a lock on a whole table, so it waits no longer than this. */
const LOCK_MS = 100;

/**
 * Changes the parts of a table, in a transaction of its own and on one instance. Returns false, with nothing changed,
 * if somebody uses the table for longer than others may wait: the next run tries again.
 */
export async function skipIfLocked(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<void>,
): Promise<boolean> {
  const changed = inTurn(db, "cleaning", async (trx) => {
    await sql`select ${lockWithin(LOCK_MS)}`.execute(trx);
    await change(trx);
    return true;
  });
  return changed.catch((error) => {
    if (!isLockTimeout(error)) throw error;
    return false;
  });
}
