import { type Database, newId } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import type { CookieAttributes } from "lucia";
import type { Auth } from "../auth";
import { GroveError } from "../errors";
import { createSecret, kindOf } from "../secrets/secrets";
import { recordUse } from "./lastUsed";
import type { SessionPrincipal } from "./principal";
import { createLucia, deletingSessions, type SessionMeta } from "./sessionStore";

/**
 * Limits of what a client can make Grove store: the longest textual IPv6 address with a zone, and a long browser name.
 */
const MAX_IP_LENGTH = 64;
const MAX_USER_AGENT_LENGTH = 500;

/**
 * Begins a session of the user, in the transaction that has established who the user is.
 * @returns its secret: for the cookie, or as a Bearer token
 */
export async function createSession(
  trx: Transaction<Database>,
  userId: string,
  { ip, userAgent, byLink = false }: SessionMeta & { byLink?: boolean },
): Promise<string> {
  const { secret } = createSecret("session");
  const attributes = {
    publicId: newId(),
    ip: ip?.slice(0, MAX_IP_LENGTH) ?? null,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    useIsDue: false,
    byLink,
  };
  // No cookie is made here, so the setting for secure cookies does not matter.
  await createLucia(trx, true).createSession(userId, attributes, { sessionId: secret });
  return secret;
}

/**
 * Reads the session of a secret with one statement. A second statement renews or deletes the session if that is due.
 * Null if the secret is unknown or expired, or its user is disabled.
 */
export async function readSession(auth: Auth, secret: string): Promise<SessionPrincipal | null> {
  const { session, user } = await auth.lucia.validateSession(secret);
  if (!session) return null;
  if (session.useIsDue) recordUse(auth.db, auth.log, "sessions", session.publicId);
  return {
    kind: "session",
    sessionId: session.publicId,
    expiresAt: session.expiresAt,
    fresh: session.fresh,
    secret,
    user: user.user,
    memberships: user.memberships,
  };
}

/**
 * Ends the session of a secret, if it has not ended already. Streams that depend on it are notified.
 * @throws {GroveError} FORBIDDEN `session_required` for an API key's or a device's secret
 */
export async function signOut(auth: Auth, secret: string): Promise<void> {
  const kind = kindOf(secret);
  if (kind === "session") return auth.lucia.invalidateSession(secret);
  if (kind !== null)
    throw new GroveError("FORBIDDEN", "Only a session can sign out. Revoke the key instead.", {
      reason: "session_required",
    });
}

/** Ends a user's sessions, all or all but one. Streams that depend on them are notified. */
export async function endSessions(
  trx: Transaction<Database>,
  userId: string,
  except?: { sessionId: string },
): Promise<void> {
  let ending = deletingSessions(trx).where("user_id", "=", userId);
  if (except) ending = ending.where("id", "!=", except.sessionId);
  await ending.execute();
}

/** Deletes the expired sessions. */
export async function deleteExpiredSessions(db: Kysely<Database>): Promise<void> {
  await deletingSessions(db).where("expires_at", "<=", sql<string>`now()`).execute();
}

export interface SessionCookie {
  name: string;
  value: string;
  attributes: CookieAttributes;
}

/** The cookie that gives a session to a browser. */
export const sessionCookie = (auth: Auth, secret: string): SessionCookie =>
  auth.lucia.createSessionCookie(secret);

/** The cookie that removes the session from the browser. */
export const blankSessionCookie = (auth: Auth): SessionCookie => auth.lucia.createBlankSessionCookie();
