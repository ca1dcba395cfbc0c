import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { endSessions } from "../principals/sessions";
import { revokeCredentials } from "./revoke";

/**
 * Ends an account's memberships, and gives it a fresh organization. Called in the transaction that gives the account to
 * whoever proved its address. The user's row is locked.
 */
export type StartOver = (trx: Transaction<Database>, userId: string) => Promise<void>;

/** How somebody proves an address, whose account may be held by somebody else so far. */
export interface Proof {
  /** The user of the session that came along: for them there is nothing to take over. */
  holder: string | undefined;
  startOver: StartOver;
}

/**
 * Gives an account to whoever has just proved its address, and takes it from whoever had only typed it. Its password,
 * sessions, keys, devices and mailed links end, and whatever `startOver` ends. The user's row must be locked.
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
