import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { endSessions } from "../principals/sessions";
import { revokeCredentials } from "./revoke";

/**
 * Ends an account's memberships, and gives it a new organization. Called in the transaction that gives the account to
 * the person who proved its address, with the user's row locked.
 */
export type StartOver = (trx: Transaction<Database>, userId: string) => Promise<void>;

/** How a person proves an address whose account someone else may hold. */
export interface Proof {
  /** The user of the session that came along. If it is the account's own, there is nothing to take over. */
  holder: string | undefined;
  startOver: StartOver;
}

/**
 * Gives an account to the person who has just proved its address, and takes it from the one who had only typed it. The
 * account's password, sessions, keys, devices and mailed links end, and everything that `startOver` ends. The user's
 * row must be locked.
 * @param action the action that proved the address, for the audit events
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
