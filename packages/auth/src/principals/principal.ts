import type { ApiKeyScope, Role } from "@grove/schemas";

/** The person behind a session or an API key. */
export interface PrincipalUser {
  id: string;
  /** Lower-cased. */
  email: string;
  name: string;
  image: string | null;
  emailVerified: boolean;
  /** ISO 8601. */
  createdAt: string;
}

/** Roles by organization id. */
export type Memberships = ReadonlyMap<string, Role>;

export interface SessionPrincipal {
  kind: "session";
  /** The public id, by which the session is listed and revoked. */
  sessionId: string;
  expiresAt: Date;
  /** The session has just been renewed: a client that holds it in a cookie must get the cookie again. */
  fresh: boolean;
  /** The presented secret. */
  secret: string;
  user: PrincipalUser;
  memberships: Memberships;
}

/** Acts as its owner, inside one organization. */
export interface ApiKeyPrincipal {
  kind: "api_key";
  keyId: string;
  organizationId: string;
  scopes: readonly ApiKeyScope[];
  /** Null when it does not expire. */
  expiresAt: Date | null;
  user: PrincipalUser;
  /** The owner's role in `organizationId`. */
  memberships: Memberships;
}

/** Acts as the device only, for no user. */
export interface DevicePrincipal {
  kind: "device";
  deviceId: string;
  /** The hash of the presented key. A rotation of the key replaces it. */
  keyHash: string;
  organizationId: string;
  ownerId: string;
  /** The journal that connected last; null before the first connect. */
  journalId: string | null;
  epoch: number;
  organization: { id: string; name: string; slug: string };
}

export type UserPrincipal = SessionPrincipal | ApiKeyPrincipal;

/** The user or device that a request's credential belongs to. */
export type Principal = UserPrincipal | DevicePrincipal;
