import type { MaybeCached } from "./cache";
import type { Principal } from "./principal";

/** A request's credential, as calls are counted and watched. It gives no right; a `Principal` does. */
export interface Credential {
  /** The public id, under which its end is announced. */
  readonly id: string;
  /** The user or the device that it stands for: `user:<id>` or `device:<id>`. */
  readonly holder: string;
  /** When it expires by itself, if it does. A session may be prolonged until then. */
  readonly expiresAt: Date | null;
  /**
   * Whether a later lookup found a credential that is worth as much: every role is as it was. Membership of further
   * organizations makes no difference.
   */
  isWorthAsMuch(now: Principal | null): now is Principal;
}

/** The credential of a principal, cached or not. */
export function credentialOf(principal: MaybeCached<Principal>): Credential {
  if (principal.kind === "cached") return principal.credential;
  if (principal.kind === "device")
    return {
      id: principal.deviceId,
      holder: `device:${principal.deviceId}`,
      expiresAt: null,
      isWorthAsMuch: (now) => now?.kind === "device",
    };
  return {
    id: principal.kind === "session" ? principal.sessionId : principal.keyId,
    holder: `user:${principal.user.id}`,
    expiresAt: principal.expiresAt,
    isWorthAsMuch: (now): now is Principal => {
      if (!now || now.kind === "device") return false;
      return [...principal.memberships].every(([id, role]) => now.memberships.get(id) === role);
    },
  };
}
