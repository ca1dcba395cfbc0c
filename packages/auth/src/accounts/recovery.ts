import { sql } from "kysely";
import type { Auth } from "../auth";
import { GroveError } from "../errors";
import type { SessionPrincipal } from "../principals/principal";
import { endSessions } from "../principals/sessions";
import { createEmailToken, requireEmailToken, takeEmailToken } from "./emailTokens";
import { hashPassword, verifyPassword } from "./passwords";
import { type Proof, transferAccount } from "./transferAccount";

/**
 * Makes a token that sets a new password, to be mailed to this address, and reports whether the address is verified. An
 * account with an unverified address starts over.
 * @returns null when no account that may sign in has the address; the requester must not learn that
 */
export const requestPasswordReset = (
  auth: Auth,
  email: string,
): Promise<{ token: string; verified: boolean } | null> =>
  auth.db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["id", "email_verified_at"])
      .where("email", "=", email)
      .where("disabled_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return null;
    const token = await createEmailToken(trx, "reset_password", { userId: user.id, email });
    return { token, verified: user.email_verified_at !== null };
  });

/**
 * Sets a new password and ends all sessions of the account: once, while its link is valid. It verifies the address,
 * too. An account with an unverified address may belong to someone else who only typed the address. So without the
 * account's own session it is taken from its holder.
 * @returns whether it was taken over
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export async function resetPassword(
  auth: Auth,
  { token, password }: { token: string; password: string },
  { holder, resetMemberships }: Proof,
): Promise<{ takenOver: boolean }> {
  await requireEmailToken(auth.db, "reset_password", token);
  const passwordHash = await hashPassword(password);
  return auth.db.transaction().execute(async (trx) => {
    const { userId, verified } = await takeEmailToken(trx, "reset_password", token);
    const takenOver = !verified && holder !== userId;
    if (takenOver) await transferAccount(trx, userId, "auth.resetPassword", resetMemberships);
    else await endSessions(trx, userId);
    await trx
      .updateTable("users")
      .set({
        password_hash: passwordHash,
        email_verified_at: sql<string>`coalesce(email_verified_at, now())`,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", userId)
      .execute();
    return { takenOver };
  });
}

/**
 * Changes the password of a user who knows the current one, and ends the other sessions.
 * @throws {GroveError} FORBIDDEN `invalid_credentials`
 */
export async function changePassword(
  auth: Auth,
  session: SessionPrincipal,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const userId = session.user.id;
  const currentHash = await requirePassword(auth, userId, currentPassword);
  const newHash = await hashPassword(newPassword);
  await auth.db.transaction().execute(async (trx) => {
    // Hashing takes a while: of two concurrent changes, one succeeds.
    const changed = await trx
      .updateTable("users")
      .set({ password_hash: newHash, updated_at: sql<string>`now()` })
      .where("id", "=", userId)
      .where("password_hash", "=", currentHash)
      .returning("id")
      .executeTakeFirst();
    if (!changed) throw wrongPassword();
    await trx
      .deleteFrom("email_tokens")
      .where("user_id", "=", userId)
      .where("purpose", "=", "reset_password")
      .execute();
    await endSessions(trx, userId, session);
  });
}

/**
 * Checks the password, for actions that a session alone does not allow.
 * @returns the password's hash, so that the caller can detect a change of the password before it acts
 * @throws {GroveError} FORBIDDEN `invalid_credentials`
 */
export async function requirePassword(auth: Auth, userId: string, password: string): Promise<string> {
  const row = await auth.db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  const passwordHash = row?.password_hash ?? null;
  if (!(await verifyPassword(passwordHash, password)) || passwordHash === null) throw wrongPassword();
  return passwordHash;
}

/** FORBIDDEN, because clients treat UNAUTHORIZED as the end of the session. */
const wrongPassword = () =>
  new GroveError(
    "FORBIDDEN",
    "The password is wrong. If the account has none, set one with forgot-password.",
    { reason: "invalid_credentials" },
  );
