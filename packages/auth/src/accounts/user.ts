import type { UserTable } from "@grove/db";
import type { User } from "@grove/schemas";
import type { Selectable } from "kysely";
import { isAdmin } from "../guards";
import type { PrincipalUser } from "../principals/principal";

/** The columns that every query for a principal's user selects. */
export const userColumns = [
  "users.id as user_id",
  "users.email",
  "users.name",
  "users.image",
  "users.email_verified_at",
  "users.created_at",
] as const;

/** A row of {@link userColumns}. */
export type UserRow = { user_id: string } & Pick<
  Selectable<UserTable>,
  "email" | "name" | "image" | "email_verified_at" | "created_at"
>;

/** Converts a row of `userColumns` to the user that the rest of Grove uses. */
export const toPrincipalUser = (row: UserRow): PrincipalUser => ({
  id: row.user_id,
  email: row.email,
  name: row.name,
  image: row.image,
  emailVerified: row.email_verified_at !== null,
  createdAt: row.created_at,
});

/** The user in the form that the API returns. */
export const toUser = (user: PrincipalUser, adminEmailDomain: string | undefined): User => ({
  id: user.id,
  email: user.email,
  name: user.name,
  image: user.image ?? "",
  emailVerified: user.emailVerified,
  isAdmin: isAdmin(user, adminEmailDomain),
  createdAt: user.createdAt,
});
