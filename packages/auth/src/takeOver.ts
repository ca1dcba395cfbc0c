import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { revokeCredentials } from "./revoke";
import { endSessions } from "./sessions";

/**
 * Ends what an account is in besides its credentials, its organizations above all, and gives it a fresh one. Called in
 * the transaction that gives the account to whoever proved its address. The user's row is locked.
 */
export type StartOver = (trx: Transaction<Database>, userId: string) => Promise<void>;

/** How an address is proven that may be another's account so far. */
export interface Proof {
  /** The user of the session that came along: for them there is nothing to take over. */
  holder: string | undefined;
  startOver: StartOver;
}

/**
 * Gives an account to who has just proved its address, and takes it from who had only typed it: its password, sessions,
 * keys, devices and mailed links end, and whatever `startOver` ends. The user's row must be locked.
 * @param action what proved the address, for the audit events
 */
export async function takeOver(
  trx: Transaction<Database>,
  userId: string,
  action: string,
  startOver: StartOver,
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ password_hash: null, email_verified_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where("id", "=", userId)
    .execute();
  await endSessions(trx, userId);
  await revokeCredentials(trx, { userId }, { actor: { kind: "system" }, action });
  await trx.deleteFrom("email_tokens").where("user_id", "=", userId).execute();
  await startOver(trx, userId);
}
