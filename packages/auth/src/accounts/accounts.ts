import { type Database, newId } from "@grove/db";
import type { Transaction } from "kysely";
import type { Auth } from "../auth";
import { GroveError } from "../errors";
import { createPersonalOrganization } from "../organizations";
import type { PrincipalUser } from "../principals/principal";
import type { SessionMeta } from "../principals/sessionStore";
import { createSession } from "../principals/sessions";
import { createEmailToken } from "./emailTokens";
import { hashPassword, verifyPassword } from "./passwords";
import { toPrincipalUser, userColumns } from "./user";

export interface Credentials {
  /** Lower-cased. */
  email: string;
  password: string;
}

export interface SignedIn {
  user: PrincipalUser;
  /** The session's secret: for the cookie, or as a Bearer token. */
  secret: string;
}

/** A hook in the sign-up transaction. It may add rows, or refuse the account by throwing. */
export type Admit = (trx: Transaction<Database>, user: { id: string; email: string }) => Promise<void>;

/**
 * Creates an account with its own organization and signs it in, in one transaction. Whether anyone may sign up is for
 * the caller to decide.
 * @returns also the token for a mail that verifies the address; null if `admit` has verified it
 * @throws {GroveError} CONFLICT `email_taken`; any error that `admit` throws
 */
export async function signUp(
  auth: Auth,
  { email, password, name }: Credentials & { name: string },
  meta: SessionMeta,
  admit: Admit = async () => {},
): Promise<SignedIn & { verificationToken: string | null }> {
  const passwordHash = await hashPassword(password);
  return auth.db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto("users")
      .values({ id: newId(), email, name, password_hash: passwordHash })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning(userColumns)
      .executeTakeFirst();
    if (!row)
      throw new GroveError("CONFLICT", "An account with this email already exists. Sign in instead.", {
        reason: "email_taken",
      });
    await createPersonalOrganization(trx, { name, ownerId: row.user_id });
    const userId = row.user_id;
    await admit(trx, { id: userId, email });
    const user = toPrincipalUser(
      await trx.selectFrom("users").select(userColumns).where("id", "=", userId).executeTakeFirstOrThrow(),
    );
    return {
      user,
      secret: await createSession(trx, userId, meta),
      verificationToken: user.emailVerified
        ? null
        : await createEmailToken(trx, "verify_email", { userId, email }),
    };
  });
}

/**
 * Begins a session of an account. An unknown email and a wrong password get the same response in the same time. Only
 * someone who knows the password learns that the account is disabled.
 * @throws {GroveError} UNAUTHORIZED `invalid_credentials` or `account_disabled`
 */
export async function signIn(
  auth: Auth,
  { email, password }: Credentials,
  meta: SessionMeta,
): Promise<SignedIn> {
  const row = await auth.db
    .selectFrom("users")
    .where("email", "=", email)
    .select([...userColumns, "password_hash", "disabled_at"])
    .executeTakeFirst();
  const passwordHash = row?.password_hash ?? null;
  if (!(await verifyPassword(passwordHash, password)) || !row) throw invalidCredentials();
  if (row.disabled_at) throw accountDisabled();
  const secret = await auth.db.transaction().execute(async (trx) => {
    // Verifying takes a while. A change of the password, or disabling the account, ends its sessions: none may begin
    // after that.
    const unchanged = await trx
      .selectFrom("users")
      .select("id")
      .where("id", "=", row.user_id)
      .where("password_hash", "=", passwordHash)
      .where("disabled_at", "is", null)
      .forShare()
      .executeTakeFirst();
    if (!unchanged) throw invalidCredentials();
    return createSession(trx, row.user_id, meta);
  });
  return { user: toPrincipalUser(row), secret };
}

export const accountDisabled = () =>
  new GroveError("UNAUTHORIZED", "This account is disabled. Ask an administrator to enable it.", {
    reason: "account_disabled",
  });

const invalidCredentials = () =>
  new GroveError("UNAUTHORIZED", "Wrong email or password. Check both and try again.", {
    reason: "invalid_credentials",
  });
