import { notification } from "@grove/db";
import { sql } from "kysely";
import type { Auth } from "../auth";
import type { SessionMeta } from "../principals/sessionStore";
import { createSession } from "../principals/sessions";
import type { SignedIn } from "./accounts";
import { createEmailToken, takeEmailToken } from "./emailTokens";
import { toPrincipalUser, userColumns } from "./user";

/**
 * Makes the code of a link that signs a browser in as the user: once, within ten minutes. The previous one is no longer
 * valid.
 * @param endEarlier also ends the sessions that earlier links have begun
 */
export const createLink = (
  auth: Auth,
  { userId, email }: { userId: string; email: string },
  { endEarlier }: { endEarlier: boolean },
): Promise<{ code: string; expiresAt: string }> =>
  auth.db.transaction().execute(async (trx) => {
    if (endEarlier)
      await trx
        .deleteFrom("sessions")
        .where("user_id", "=", userId)
        .where("by_link", "=", true)
        .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"))
        .execute();
    const code = await createEmailToken(trx, "console_link", { userId, email });
    const { expires_at: expiresAt } = await trx
      .selectFrom("email_tokens")
      .select("expires_at")
      .where("user_id", "=", userId)
      .where("purpose", "=", "console_link")
      .executeTakeFirstOrThrow();
    return { code, expiresAt: new Date(expiresAt).toISOString() };
  });

/**
 * Begins the session of a link's code.
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export const signInByLink = (auth: Auth, code: string, meta: SessionMeta): Promise<SignedIn> =>
  auth.db.transaction().execute(async (trx) => {
    const { userId } = await takeEmailToken(trx, "console_link", code);
    const user = await trx
      .selectFrom("users")
      .select(userColumns)
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    return {
      user: toPrincipalUser(user),
      secret: await createSession(trx, userId, { ...meta, byLink: true }),
    };
  });
