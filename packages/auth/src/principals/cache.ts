import { protocol } from "@grove/schemas";
import { LRUCache } from "lru-cache";
import { hashSecret, kindOf } from "../secrets/secrets";
import { type Credential, credentialOf } from "./credential";
import type { ApiKeyPrincipal, DevicePrincipal, Principal } from "./principal";

/** How long a looked-up API key is cached. `last_used_at` may lag by as much. */
const API_KEY_MS = 30_000;
/**
 * How long a looked-up device key is cached: longer than a device's stream, whose beginning looks the key up. A command
 * is then reported without a lookup, however rarely its device gets one (`pnpm bench scale`).
 */
const DEVICE_KEY_MS = protocol.deviceStreamMs + 60_000;
/** At most this many keys are cached; the least recently used ones are looked up again. */
const MAX_CACHED = 10_000;

/**
 * The principal of a key that was looked up some time ago. The key may have been revoked since, so this is no
 * `Principal`, and nothing that takes one accepts it. The principal itself becomes the parameters of a statement that
 * checks the key, and nothing else.
 */
export class Cached<P extends Principal> {
  readonly kind = "cached";
  readonly #principal: P;
  /**
   * Looks the key up now, and applies the guards.
   * @throws {GroveError} UNAUTHORIZED or FORBIDDEN, as the guards do
   */
  readonly lookUp: () => Promise<P>;

  constructor(principal: P, lookUp: () => Promise<P>) {
    this.#principal = principal;
    this.lookUp = lookUp;
  }

  /** For {@link credentialOf}. */
  get credential(): Credential {
    return credentialOf(this.#principal);
  }

  /** Applies another guard. If it refuses the cached principal, the looked-up one decides. */
  guarded<Allowed extends Principal>(guard: (principal: P) => Allowed): Promise<MaybeCached<Allowed>> {
    return guardedOrLookedUp(this.#principal, guard, async () => guard(await this.lookUp()));
  }

  /**
   * Runs a statement that checks the key by itself, with `apiKeyIsValid` or `deviceKeyIsValid`, before it changes
   * anything. If the statement changes nothing, the key may be the reason: continue with `lookUp`.
   * @param parametersOf the statement's parameters, among them the key's id or hash
   */
  verifiedIn<Parameters, Answer>(
    statement: (parameters: Parameters) => Promise<Answer>,
    parametersOf: (principal: P) => Parameters,
  ): Promise<Answer> {
    return statement(parametersOf(this.#principal));
  }
}

/** A principal that was looked up for this request, or a cached one. */
export type MaybeCached<P extends Principal> = P | Cached<P>;

/**
 * Returns the cached principal if the guard accepts it, otherwise the looked-up one. A refusal always comes from a
 * lookup.
 */
async function guardedOrLookedUp<Given, Allowed extends Principal>(
  principal: Given,
  guard: (principal: Given) => Allowed,
  lookUp: () => Promise<Allowed>,
): Promise<MaybeCached<Allowed>> {
  let allowed: Allowed;
  try {
    allowed = guard(principal);
  } catch {
    return lookUp();
  }
  return new Cached(allowed, lookUp);
}

/** The principals of API keys and device keys, by the keys' hashes. Sessions are not cached: lucia renews them. */
export class PrincipalCache {
  readonly #principals = new LRUCache<string, ApiKeyPrincipal | DevicePrincipal>({
    max: MAX_CACHED,
    ttl: API_KEY_MS,
    ttlResolution: 1_000,
  });

  /** Keeps the principal that a lookup has found, or forgets a key that it has not found. */
  keep(hash: string, found: ApiKeyPrincipal | DevicePrincipal | null): void {
    if (found)
      this.#principals.set(hash, found, { ttl: found.kind === "device" ? DEVICE_KEY_MS : API_KEY_MS });
    else this.#principals.delete(hash);
  }

  /**
   * The principal of a secret, cached if possible. Only for callers whose statement checks the key.
   * @param lookUp the principal of that secret, read now
   * @throws {GroveError} as the guard does for the looked-up principal
   */
  async find<Allowed extends Principal>(
    secret: string,
    guard: (principal: Principal | null) => Allowed,
    lookUp: () => Promise<Principal | null>,
  ): Promise<MaybeCached<Allowed>> {
    const kind = kindOf(secret);
    const isKey = kind === "api_key" || kind === "device";
    const found = isKey ? this.#principals.get(hashSecret(secret)) : undefined;
    const guardedLookUp = async () => guard(await lookUp());
    return found ? guardedOrLookedUp(found, guard, guardedLookUp) : guardedLookUp();
  }
}
