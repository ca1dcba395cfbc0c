import type { SessionPrincipal } from "@grove/auth";
import { notification } from "@grove/db";
import type { Success, UserListSessionsInput, UserRevokeSessionInput, UserSession } from "@grove/schemas";
import { sql } from "kysely";
import { newestFirstOfUser } from "../lib/pagination";
import type { Services } from "../services";
import { toUserSession, userSessionColumns, userSessionNotFound } from "./row";

/** Reads a page of the caller's live sessions, newest first. */
export async function listSessions(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  page: UserListSessionsInput,
): Promise<UserSession[]> {
  const { db } = database;
  const userId = principal.user.id;
  const query = db
    .selectFrom("sessions")
    .select(userSessionColumns)
    .where("user_id", "=", userId)
    .where("expires_at", ">", sql<string>`now()`);
  const rows = await newestFirstOfUser(db, "sessions", query, { userId, ...page });
  return rows.map((row) => toUserSession(row, principal.sessionId));
}

/**
 * Ends one of the caller's sessions, and its streams.
 * @throws {GroveError} NOT_FOUND
 */
export async function revokeSession(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  { id }: UserRevokeSessionInput,
): Promise<Success> {
  const ended = await database.db
    .deleteFrom("sessions")
    .where("user_id", "=", principal.user.id)
    .where("id", "=", id)
    .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"))
    .executeTakeFirst();
  if (!ended) throw userSessionNotFound(id);
  return { success: true as const };
}
