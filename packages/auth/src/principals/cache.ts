import { LRUCache } from "lru-cache";
import type { Auth } from "../auth";
import { hashSecret, kindOf } from "../secrets/secrets";
import type { ApiKeyPrincipal, DevicePrincipal } from "./principal";

/** How long a looked-up key is cached. `last_used_at` may lag by as much. */
const CACHED_MS = 30_000;
/** At most this many keys are cached; the least recently used ones are looked up again. */
const MAX_CACHED = 10_000;

export type CacheablePrincipal = ApiKeyPrincipal | DevicePrincipal;

/** The principals of API keys and device keys, by the keys' hashes. Sessions are not cached: lucia renews them. */
export const createPrincipalCache = () =>
  new LRUCache<string, CacheablePrincipal>({ max: MAX_CACHED, ttl: CACHED_MS, ttlResolution: 1_000 });

/**
 * The principal of a key that was looked up in the last 30 seconds, or null. The key may have been revoked since. So
 * use this only where the statement checks the key, with `apiKeyIsValid` or `deviceKeyIsValid`, before it changes
 * anything.
 */
export function cachedPrincipal(auth: Auth, secret: string): CacheablePrincipal | null {
  const kind = kindOf(secret);
  if (kind !== "api_key" && kind !== "device") return null;
  return auth.principalCache.get(hashSecret(secret)) ?? null;
}
