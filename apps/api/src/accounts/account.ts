import { type SessionPrincipal, toPrincipalUser, toUser, userColumns } from "@grove/auth";
import type { SignInMethods, User, UserUpdateInput } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../services";

/** Changes the given fields of the caller's account. */
export async function updateAccount(
  { config, database }: Pick<Services, "config" | "database">,
  principal: SessionPrincipal,
  input: UserUpdateInput,
): Promise<User> {
  const row = await database.db
    .updateTable("users")
    .set({ ...input, updated_at: sql<string>`now()` })
    .where("id", "=", principal.user.id)
    .returning(userColumns)
    .executeTakeFirstOrThrow();
  return toUser(toPrincipalUser(row), config.adminEmailDomain);
}

/** Reads the ways in which the caller can sign in. */
export async function readSignInMethods(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
): Promise<SignInMethods> {
  const rows = await database.db
    .selectFrom("users")
    .leftJoin("oauth_accounts", "oauth_accounts.user_id", "users.id")
    .select([sql<boolean>`password_hash is not null`.as("password"), "provider"])
    .where("users.id", "=", principal.user.id)
    .execute();
  return {
    password: rows.some(({ password }) => password),
    providers: rows.flatMap(({ provider }) => provider ?? []),
  };
}
