import { LRUCache } from "lru-cache";
import type { Auth } from "../auth";
import { hashSecret, kindOf } from "../secrets/secrets";
import type { ApiKeyPrincipal, DevicePrincipal } from "./principal";

/** So long after it was looked up a key is recalled; its use may be recorded that much late. */
const RECALLED_MS = 30_000;
/** The keys that are in use at a time; of more the least used ones are looked up. */
const MOST_RECALLED = 10_000;

export type RecallablePrincipal = ApiKeyPrincipal | DevicePrincipal;

/** Keys by their hashes, of agents and devices: they make many small calls. Sessions, which lucia renews, are not among them. */
export const createRecall = () =>
  new LRUCache<string, RecallablePrincipal>({ max: MOST_RECALLED, ttl: RECALLED_MS, ttlResolution: 1_000 });

/**
 * Whom a key stood for when it was last looked up, within half a minute; null when that is not known. Whether it still
 * does so is not: for procedures only whose one statement proves it, with `apiKeyProven` or `deviceKeyProven`, before it
 * does anything.
 */
export function recallPrincipal(auth: Auth, secret: string): RecallablePrincipal | null {
  const kind = kindOf(secret);
  if (kind !== "api_key" && kind !== "device") return null;
  return auth.recalled.get(hashSecret(secret)) ?? null;
}
