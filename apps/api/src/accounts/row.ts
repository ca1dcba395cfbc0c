import { GroveError, toPrincipalUser, toUser, userColumns } from "@grove/auth";
import type { SessionTable } from "@grove/db";
import type { AdminUser, UserSession } from "@grove/schemas";
import type { Selectable } from "kysely";
import type { Config } from "../services";

/** The columns that {@link toAdminUser} needs. */
export const adminUserColumns = [...userColumns, "users.disabled_at"] as const;

type AdminUserRow = Parameters<typeof toPrincipalUser>[0] & { disabled_at: string | null };

/** A user's row as site admins see it. */
export const toAdminUser = (row: AdminUserRow, { adminEmailDomain }: Config): AdminUser => ({
  ...toUser(toPrincipalUser(row), adminEmailDomain),
  disabledAt: row.disabled_at,
});

export const userNotFound = (id: string) => new GroveError("NOT_FOUND", `There is no user ${id}.`);

/** The columns that {@link toUserSession} needs. */
export const userSessionColumns = ["id", "created_at", "last_used_at", "ip", "user_agent"] as const;

/** A session as its user sees it. `currentId` is the session of the request itself. */
export const toUserSession = (
  row: Pick<Selectable<SessionTable>, (typeof userSessionColumns)[number]>,
  currentId: string,
): UserSession => ({
  id: row.id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  ip: row.ip,
  userAgent: row.user_agent,
  current: row.id === currentId,
});

export const userSessionNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no session ${id} of yours.`);
