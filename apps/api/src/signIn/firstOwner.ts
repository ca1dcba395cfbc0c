import { randomBytes } from "node:crypto";
import { requestPasswordReset, signOut, signUp } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { Env } from "../env";
import { resetMail } from "../lib/mailTexts";
import type { Services } from "../services";
import { onlyTheFirst } from "./signUpPolicy";

/**
 * Returns why no user can sign in: no account exists, and sign-up does not allow the first one. Undefined otherwise.
 */
export async function signInBlocker(
  db: Kysely<Database>,
  { signUp: mode, ownerEmail }: Pick<Env, "signUp" | "ownerEmail">,
): Promise<string | undefined> {
  if (ownerEmail !== undefined || mode === "open" || mode === "first") return undefined;
  const someone = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  return someone
    ? undefined
    : `there is no account yet, and SIGN_UP=${mode} lets no one create the first one`;
}

/** The operator's next step if no user can sign in. */
export const FIRST_OWNER_ADVICE =
  "Set OWNER_EMAIL to the first owner's address, or SIGN_UP=first, and start again.";

/**
 * Makes the account of a server's first owner, and mails or logs a link to choose its password. The operator has named
 * the address, so it counts as verified. Once there is any account, this does nothing.
 */
export async function makeFirstOwner(
  { auth, database, mailer, log }: Pick<Services, "auth" | "database" | "mailer" | "log">,
  email: string,
): Promise<void> {
  const someone = await database.db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  if (someone) return;
  const name = email.split("@", 1)[0] || email;
  const password = randomBytes(32).toString("base64url");
  // If several instances start together, only one of them creates the account.
  const owner = await signUp(
    auth,
    { email, password, name },
    { ip: null, userAgent: null },
    async (trx, user) => {
      await onlyTheFirst(trx, user);
      await trx
        .updateTable("users")
        .set({ email_verified_at: sql<string>`now()` })
        .where("id", "=", user.id)
        .execute();
    },
  ).catch((error: Error & { reason?: string }) => {
    if (error.reason === "email_taken" || error.reason === "sign_up_closed") return;
    throw error;
  });
  if (!owner) return;
  await signOut(auth, owner.secret);
  log.info({ email }, "created the first owner's account; a link to choose its password follows");
  mailer.send(async () => {
    const reset = await requestPasswordReset(auth, email);
    return reset && resetMail(mailer, email, reset);
  });
}
