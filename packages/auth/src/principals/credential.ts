import type { MaybeCached } from "./cache";
import type { Principal } from "./principal";

/** A request's credential, as calls are counted and watched. It gives no right; a `Principal` does. */
export interface Credential {
  /** The public id, under which its end is announced. */
  readonly id: string;
  /** The user or the device that it belongs to: `user:<id>` or `device:<id>`. */
  readonly holder: string;
  /** When it expires, if ever; a session may be renewed before that. */
  readonly expiresAt: Date | null;
  /**
   * Whether the principal of a later lookup still has every right: no role has changed. Membership of further
   * organizations makes no difference.
   */
  stillGrants(found: Principal | null): found is Principal;
}

/** The credential of a principal, cached or not. */
export function credentialOf(principal: MaybeCached<Principal>): Credential {
  if (principal.kind === "cached") return principal.credential;
  if (principal.kind === "device")
    return {
      id: principal.deviceId,
      holder: `device:${principal.deviceId}`,
      expiresAt: null,
      stillGrants: (found) => found?.kind === "device",
    };
  return {
    id: principal.kind === "session" ? principal.sessionId : principal.keyId,
    holder: `user:${principal.user.id}`,
    expiresAt: principal.expiresAt,
    stillGrants: (found): found is Principal => {
      if (!found || found.kind === "device") return false;
      return [...principal.memberships].every(([id, role]) => found.memberships.get(id) === role);
    },
  };
}
