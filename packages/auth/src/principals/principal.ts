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
  /** It was renewed just now: a caller that holds it in a cookie must be given the cookie again. */
  fresh: boolean;
  /** What was presented. */
  secret: string;
  user: PrincipalUser;
  memberships: Memberships;
}

/**
 * Not looked up for this request, but for one of the last seconds: the credential may have been revoked since. Whatever is
 * done for it is done by a statement that proves it first; see `apiKeyIsValid` and `deviceKeyIsValid`.
 */
export type Cached = true;

/** Acts as its owner, inside one organization. */
export interface ApiKeyPrincipal {
  kind: "api_key";
  keyId: string;
  organizationId: string;
  scopes: readonly ApiKeyScope[];
  /** Null when it does not expire. */
  expiresAt: Date | null;
  cached?: Cached;
  user: PrincipalUser;
  /** The one of `organizationId`. */
  memberships: Memberships;
}

/** Acts as that device only; it stands for no user. */
export interface DevicePrincipal {
  kind: "device";
  deviceId: string;
  /** The hash of the key that was presented, which a rotation replaces. */
  keyHash: string;
  cached?: Cached;
  organizationId: string;
  ownerId: string;
  /** The journal that connected last; null before the first connect. */
  journalId: string | null;
  epoch: number;
  organization: { id: string; name: string; slug: string };
}

export type UserPrincipal = SessionPrincipal | ApiKeyPrincipal;

/** Whom a request's credential stands for. */
export type Principal = UserPrincipal | DevicePrincipal;
