import type { UserTable } from "@grove/db";
import type { User } from "@grove/schemas";
import type { Selectable } from "kysely";
import { isAdmin } from "../guards";
import type { PrincipalUser } from "../principals/principal";

/** What every query that finds a principal's user selects. */
export const userColumns = [
  "users.id as user_id",
  "users.email",
  "users.name",
  "users.image",
  "users.email_verified_at",
  "users.created_at",
] as const;

/** What {@link userColumns} selects. */
export type UserRow = { user_id: string } & Pick<
  Selectable<UserTable>,
  "email" | "name" | "image" | "email_verified_at" | "created_at"
>;

/** A row of `userColumns`, as the rest of Grove sees a user. */
export const toPrincipalUser = (row: UserRow): PrincipalUser => ({
  id: row.user_id,
  email: row.email,
  name: row.name,
  image: row.image,
  emailVerified: row.email_verified_at !== null,
  createdAt: row.created_at,
});

/** The user as the API answers it. */
export const toUser = (user: PrincipalUser, adminEmailDomain: string | undefined): User => ({
  id: user.id,
  email: user.email,
  name: user.name,
  image: user.image ?? "",
  emailVerified: user.emailVerified,
  isAdmin: isAdmin(user, adminEmailDomain),
  createdAt: user.createdAt,
});
