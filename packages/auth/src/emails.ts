import { sql } from "kysely";
import type { Auth } from "./auth";
import { createEmailToken, takeEmailToken } from "./emailTokens";

/**
 * A token that has the user's address verified, to be mailed there; the one mailed before is good no more.
 * @returns null when it is verified already
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
 * Has the address verified that the token was mailed to. Once, within three days.
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export const verifyEmail = (auth: Auth, token: string): Promise<void> =>
  auth.db.transaction().execute(async (trx) => {
    const { userId, email } = await takeEmailToken(trx, "verify_email", token);
    await trx
      .updateTable("users")
      .set({ email_verified_at: sql<string>`coalesce(email_verified_at, now())` })
      .where("id", "=", userId)
      .where("email", "=", email)
      .execute();
  });
