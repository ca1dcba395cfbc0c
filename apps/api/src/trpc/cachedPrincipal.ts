import { GroveError, type Principal } from "@grove/auth";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";

/**
 * The codes that refuse a call before it has done anything. (A command's row is NOT_FOUND later only if its
 * organization is gone, and the key with it.)
 */
const refusals: readonly TRPC_ERROR_CODE_KEY[] = ["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND"];

/** Whether a call that failed with a cached principal is repeated with a fresh one, which then decides. */
export const isRefusal = (code: TRPC_ERROR_CODE_KEY): boolean => refusals.includes(code);

/**
 * Call this when a statement changed nothing: the cached credential may be stale. It makes the guard repeat the call
 * with a fresh lookup.
 * @throws {GroveError} FORBIDDEN with a cached principal; no caller sees it
 */
export function requireFreshPrincipal(principal: Principal): void {
  if (principal.kind === "session" || !principal.cached) return;
  throw new GroveError("FORBIDDEN", "The credential must be looked up for this.");
}
