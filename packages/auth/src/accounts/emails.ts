import { sql } from "kysely";
import type { Auth } from "../auth";
import { createEmailToken, takeEmailToken } from "./emailTokens";
import { type Proof, transferAccount } from "./transferAccount";

/**
 * Makes a token that verifies the user's address, to be mailed there. The previous one is no longer valid.
 * @returns null when the address is verified already
 */
export const requestVerification = (
  auth: Auth,
  userId: string,
): Promise<{ email: string; token: string } | null> =>
  auth.db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select("email")
      .where("id", "=", userId)
      .where("email_verified_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return null;
    return { email: user.email, token: await createEmailToken(trx, "verify_email", { userId, ...user }) };
  });

/**
 * Verifies the address that the token was mailed to: once, while its link is valid. Opening the link proves control of
 * the mailbox, but another user may have made the account. So without the account's own session, the account is
 * transferred.
 * @returns whether it was transferred
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export const verifyEmail = (
  auth: Auth,
  token: string,
  { holder, resetMemberships }: Proof,
): Promise<{ takenOver: boolean }> =>
  auth.db.transaction().execute(async (trx) => {
    const { userId, verified } = await takeEmailToken(trx, "verify_email", token);
    if (verified) return { takenOver: false };
    if (holder !== userId) {
      await transferAccount(trx, userId, "auth.verifyEmail", resetMemberships);
      return { takenOver: true };
    }
    await trx
      .updateTable("users")
      .set({ email_verified_at: sql<string>`now()`, updated_at: sql<string>`now()` })
      .where("id", "=", userId)
      .execute();
    return { takenOver: false };
  });
