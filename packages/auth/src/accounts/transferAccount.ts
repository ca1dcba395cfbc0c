import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { endSessions } from "../principals/sessions";
import { revokeCredentials } from "./revoke";

/**
 * Ends an account's memberships, and gives it a new organization. Called with the user's row locked, in the transaction
 * that transfers the account to the user who proved its address.
 */
export type ResetMemberships = (trx: Transaction<Database>, userId: string) => Promise<void>;

/** How a person proves an address whose account someone else may hold. */
export interface Proof {
  /** The user of the session that came along. If it is the account's own, there is nothing to take over. */
  holder: string | undefined;
  resetMemberships: ResetMemberships;
}

/**
 * Transfers an account from a user who only typed its address to the user who has just proved it. Ends the account's
 * password, sessions, keys, devices and mailed links, and resets its memberships. The user's row must be locked.
 * @param action the action that proved the address, for the audit events
 */
export async function transferAccount(
  trx: Transaction<Database>,
  userId: string,
  action: string,
  resetMemberships: ResetMemberships,
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ password_hash: null, email_verified_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where("id", "=", userId)
    .execute();
  await endSessions(trx, userId);
  await revokeCredentials(trx, { userId }, { actor: { kind: "system" }, action });
  await trx.deleteFrom("email_tokens").where("user_id", "=", userId).execute();
  await resetMemberships(trx, userId);
}
