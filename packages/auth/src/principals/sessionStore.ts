import { type Database, notification } from "@grove/db";
import { type Role, SESSION_DAYS } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { type Adapter, type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from "lucia";
import { toPrincipalUser, type UserRow } from "../accounts/user";
import { hashSecret } from "../secrets/secrets";
import { useIsDue } from "./lastUsed";
import { batched, type Lookup } from "./lookup";
import type { Memberships, PrincipalUser } from "./principal";

/**
 * The name of the cookie that holds a session's secret. Over TLS it has the prefix `__Host-` (RFC 6265bis, section
 * 4.1.3.2). A browser then accepts it from this host only, so that no sibling subdomain can plant one.
 */
const cookieName = (secure: boolean) => (secure ? "__Host-grove_session" : "grove_session");

/** The client that began a session; shown to the session's user. */
export interface SessionMeta {
  ip: string | null;
  userAgent: string | null;
}

interface SessionAttributes extends SessionMeta {
  publicId: string;
  /** Whether this use of the session must be recorded, because the recorded one is old. */
  useIsDue: boolean;
  /** Whether a one-time link began the session; undefined when the session was read. */
  byLink?: boolean;
}

interface UserAttributes {
  user: PrincipalUser;
  memberships: Memberships;
}

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

/** A session ends when it was not used for this long. It is renewed after half of that. */
const SESSION_LIFETIME = new TimeSpan(SESSION_DAYS, "d");

/**
 * Lucia over a database or a transaction. The cookie does not
 * expire with a session, since a streamed response cannot set it again; the table decides when a session ends.
 */
export const createLucia = (db: Kysely<Database>, secureCookies: boolean) =>
  new Lucia<SessionAttributes, UserAttributes>(new SessionAdapter(db), {
    sessionExpiresIn: SESSION_LIFETIME,
    sessionCookie: {
      name: cookieName(secureCookies),
      expires: false,
      attributes: { secure: secureCookies, sameSite: "lax", path: "/" },
    },
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });

interface SessionRow extends UserRow {
  hash: string;
  id: string;
  expires_at: string;
  ip: string | null;
  user_agent: string | null;
  use_is_due: boolean;
  roles: Record<string, Role> | null;
}

/** Sessions with their users and all their memberships, except sessions of disabled users. */
const sessionLookup = (db: Kysely<Database>) =>
  batched(async (hashes) => {
    // Written as SQL, as in apiKey.ts: every request with a session runs it.
    const { rows } = await sql<SessionRow>`
      select sessions.id_hash as hash, sessions.id, sessions.expires_at, sessions.ip, sessions.user_agent,
        users.id as user_id, users.email, users.name, users.image, users.email_verified_at, users.created_at,
        ${useIsDue("sessions")} as use_is_due,
        (select json_object_agg(organization_id, role) from memberships where memberships.user_id = users.id) as roles
      from sessions
      join users on users.id = sessions.user_id
      where sessions.id_hash = any(${hashes}::text[]) and users.disabled_at is null
    `.execute(db);
    return rows;
  });

/**
 * Stores lucia's sessions. Lucia's session ids are Grove's secrets: each is hashed for the table, and the presented
 * secret is returned.
 */
class SessionAdapter implements Adapter {
  readonly #db: Kysely<Database>;
  readonly #sessions: Lookup<SessionRow>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
    this.#sessions = sessionLookup(db);
  }

  async getSessionAndUser(secret: string): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const row = await this.#sessions(hashSecret(secret));
    if (!row) return [null, null];
    const { id: publicId, expires_at: expiresAt, ip, user_agent: userAgent, use_is_due } = row;
    const attributes = { publicId, ip, userAgent, useIsDue: use_is_due };
    const memberships = new Map(Object.entries(row.roles ?? {}));
    return [
      { id: secret, userId: row.user_id, expiresAt: new Date(expiresAt), attributes },
      { id: row.user_id, attributes: { user: toPrincipalUser(row), memberships } },
    ];
  }

  async setSession({ id, userId, expiresAt, attributes }: DatabaseSession): Promise<void> {
    await this.#db
      .insertInto("sessions")
      .values({
        id_hash: hashSecret(id),
        id: attributes.publicId,
        user_id: userId,
        expires_at: expiresAt,
        ip: attributes.ip,
        user_agent: attributes.userAgent,
        by_link: attributes.byLink ?? false,
      })
      .execute();
  }

  async updateSessionExpiration(secret: string, expiresAt: Date): Promise<void> {
    await this.#db
      .updateTable("sessions")
      .set({ expires_at: expiresAt })
      .where("id_hash", "=", hashSecret(secret))
      .execute();
  }

  async deleteSession(secret: string): Promise<void> {
    await deletingSessions(this.#db).where("id_hash", "=", hashSecret(secret)).execute();
  }

  /** @throws {Error} always; `endSessions` deletes a user's sessions */
  async deleteUserSessions(): Promise<void> {
    throw notOffered();
  }

  /** @throws {Error} always; `deleteExpiredSessions` deletes expired sessions */
  async deleteExpiredSessions(): Promise<void> {
    throw notOffered();
  }

  /** @throws {Error} always: lucia expects the secrets here, and those are not stored */
  async getUserSessions(): Promise<DatabaseSession[]> {
    throw notOffered();
  }
}

const notOffered = () => new Error("Only single sessions are managed through lucia; see sessions.ts.");

/** Deletes sessions, and announces each by its public id in the same statement, so that streams of it end. */
export const deletingSessions = (db: Kysely<Database>) =>
  db
    .deleteFrom("sessions")
    .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"));
