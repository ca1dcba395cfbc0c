import type { Database, EmailTokenTable } from "@grove/db";
import { LINK_MINUTES } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { GroveError } from "../errors";
import { createToken, hashSecret } from "../secrets/secrets";

type Purpose = EmailTokenTable["purpose"];

/** How long a link is valid, in words that PostgreSQL and people read. */
export const linkLifetimes = {
  verify_email: "3 days",
  reset_password: "1 hour",
  console_link: `${LINK_MINUTES} minutes`,
} as const satisfies Record<Purpose, string>;

/** The facts that a used token proves. */
export interface EmailProof {
  userId: string;
  /** The address it was mailed to. */
  email: string;
}

/** Makes the token of a mail. Earlier tokens of the user for this purpose are no longer valid. */
export async function createEmailToken(
  trx: Transaction<Database>,
  purpose: Purpose,
  { userId, email }: EmailProof,
): Promise<string> {
  const { token, hash } = createToken();
  await trx.deleteFrom("email_tokens").where("user_id", "=", userId).where("purpose", "=", purpose).execute();
  await trx
    .insertInto("email_tokens")
    .values({
      token_hash: hash,
      user_id: userId,
      purpose,
      email,
      expires_at: sql<string>`now() + ${linkLifetimes[purpose]}::interval`,
    })
    .execute();
  return token;
}

/**
 * Uses a token up: of several concurrent attempts one succeeds. Locks the user's row first, like every other statement.
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export async function takeEmailToken(
  trx: Transaction<Database>,
  purpose: Purpose,
  token: string,
): Promise<EmailProof & { verified: boolean }> {
  const user = await trx
    .selectFrom("users")
    .select("email_verified_at")
    .where("id", "=", (eb) =>
      eb.selectFrom("email_tokens").select("user_id").where("token_hash", "=", hashSecret(token)),
    )
    .forUpdate()
    .executeTakeFirst();
  const row = await trx
    .deleteFrom("email_tokens")
    .where("token_hash", "=", hashSecret(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", sql<string>`now()`)
    .returning(["user_id", "email"])
    .executeTakeFirst();
  if (!row || !user) throw invalidToken();
  return { userId: row.user_id, email: row.email, verified: user.email_verified_at !== null };
}

/**
 * Checks that a token could be used now. Called before a password is hashed, which is expensive.
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export async function requireEmailToken(
  db: Kysely<Database>,
  purpose: Purpose,
  token: string,
): Promise<void> {
  const row = await db
    .selectFrom("email_tokens")
    .select("user_id")
    .where("token_hash", "=", hashSecret(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();
  if (!row) throw invalidToken();
}

const invalidToken = () =>
  new GroveError(
    "BAD_REQUEST",
    "This link was already used, was replaced by a newer one, or has expired. Request another.",
    {
      reason: "token_invalid",
    },
  );

/** Deletes the expired tokens of mails and the expired sign-ins through providers. */
export async function deleteExpiredTokens(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom("email_tokens").where("expires_at", "<=", sql<string>`now()`).execute();
  await db.deleteFrom("oauth_states").where("expires_at", "<=", sql<string>`now()`).execute();
}
