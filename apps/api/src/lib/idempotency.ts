import { createHash } from "node:crypto";
import type { MaybeCached, UserPrincipal } from "@grove/auth";

/** The user who requests a command, perhaps by an API key. */
export type Requester = { user: { id: string } } & ({ kind: "session" } | { kind: "api_key"; keyId: string });

/** The user who requests a command, whose credential may be cached. */
export type MaybeCachedRequester = Requester | MaybeCached<UserPrincipal>;

const API_KEY = "api_key:";

/** The owner of an idempotency key. */
export const idempotencyOwner = (principal: Requester): string =>
  principal.kind === "api_key" ? `${API_KEY}${principal.keyId}` : `user:${principal.user.id}`;

/** The requester whose {@link idempotencyOwner} is `owner`. */
export const requesterOf = (owner: string, user: { id: string }): Requester =>
  owner.startsWith(API_KEY)
    ? { kind: "api_key", keyId: owner.slice(API_KEY.length), user }
    : { kind: "session", user };

/**
 * A hash of the input that an idempotency key was used with. The order of JSON's keys means nothing, so it is not
 * hashed.
 */
export const hashOf = (input: unknown): string =>
  createHash("sha256").update(JSON.stringify(input, sortKeys)).digest("hex");

const sortKeys = (_key: string, value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
