import { type Database, newId, type OAuthAccountTable } from "@grove/db";
import { sql, type Transaction } from "kysely";
import type { Auth } from "../auth";
import { createPersonalOrganization } from "../organizations";
import type { SessionMeta } from "../principals/sessionStore";
import { createSession } from "../principals/sessions";
import { type Admit, accountDisabled, type SignedIn } from "./accounts";
import { type Proof, transferAccount } from "./transferAccount";
import { toPrincipalUser, userColumns } from "./user";

/** The user that a provider vouches for. */
export interface ProviderProfile {
  provider: OAuthAccountTable["provider"];
  /** The provider's id of the user: stable, unlike names and addresses. */
  providerUserId: string;
  /** Lower-cased, and verified by the provider. */
  email: string;
  name: string;
  image: string | null;
}

/**
 * Begins a session of the account that this provider's user signs in to. The first time, the user joins the account
 * with that address, or a new account is made. If that account's address was never verified, the account is transferred
 * to this user, unless the request has the account's own session.
 * @throws {GroveError} UNAUTHORIZED `account_disabled`; any error that `admit` throws for a new account
 */
export const signInWithProvider = (
  auth: Auth,
  profile: ProviderProfile,
  meta: SessionMeta,
  newcomer: Proof & { admit: Admit },
): Promise<SignedIn> =>
  auth.db.transaction().execute(async (trx) => {
    const userId = (await knownUser(trx, profile)) ?? (await joinOrCreate(trx, profile, newcomer));
    const row = await trx
      .selectFrom("users")
      .select([...userColumns, "disabled_at"])
      .where("id", "=", userId)
      .forShare()
      .executeTakeFirstOrThrow();
    if (row.disabled_at) throw accountDisabled();
    return { user: toPrincipalUser(row), secret: await createSession(trx, userId, meta) };
  });

async function knownUser(trx: Transaction<Database>, { provider, providerUserId }: ProviderProfile) {
  const existingAccount = await trx
    .selectFrom("oauth_accounts")
    .select("user_id")
    .where("provider", "=", provider)
    .where("provider_user_id", "=", providerUserId)
    .executeTakeFirst();
  return existingAccount?.user_id;
}

async function joinOrCreate(
  trx: Transaction<Database>,
  profile: ProviderProfile,
  { admit, ...proof }: Proof & { admit: Admit },
): Promise<string> {
  const { provider, providerUserId, email, name, image } = profile;
  // In both cases this transaction holds the row's lock from here on.
  const created = await trx
    .insertInto("users")
    .values({ id: newId(), email, name, image, email_verified_at: sql<string>`now()` })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (created) {
    await createPersonalOrganization(trx, { name, ownerId: created.id });
    await admit(trx, { id: created.id, email });
  }
  const userId = created?.id ?? (await join(trx, profile, proof));
  await trx
    .insertInto("oauth_accounts")
    .values({ provider, provider_user_id: providerUserId, user_id: userId })
    .onConflict((conflict) => conflict.columns(["provider", "provider_user_id"]).doNothing())
    .execute();
  return userId;
}

async function join(
  trx: Transaction<Database>,
  { email, name, image }: ProviderProfile,
  { holder, resetMemberships }: Proof,
): Promise<string> {
  const { id, email_verified_at: verified } = await trx
    .selectFrom("users")
    .select(["id", "email_verified_at"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (verified) return id;
  if (holder === id) {
    await trx
      .updateTable("users")
      .set({ email_verified_at: sql<string>`now()`, updated_at: sql<string>`now()` })
      .where("id", "=", id)
      .execute();
    return id;
  }
  // The account still has the name that its previous holder typed.
  await trx.updateTable("users").set({ name, image }).where("id", "=", id).execute();
  await transferAccount(trx, id, "auth.signInWithProvider", resetMemberships);
  return id;
}
