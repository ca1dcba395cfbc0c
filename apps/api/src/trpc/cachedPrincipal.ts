import { GroveError, type Principal } from "@grove/auth";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";

/**
 * What a call is refused with before it has done anything. (A command's row is NOT_FOUND later on only when its
 * organization is gone, and with that the key.)
 */
const refusals: readonly TRPC_ERROR_CODE_KEY[] = ["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND"];

/** Whether a call with a recalled principal is made again with one that is looked up, whose refusal is then the answer. */
export const isRefusal = (code: TRPC_ERROR_CODE_KEY): boolean => refusals.includes(code);

/**
 * For where a statement has done nothing, perhaps since the credential is no longer what it was.
 * @throws FORBIDDEN with a recalled principal; no caller sees it
 */
export function requireLookedUp(principal: Principal): void {
  if (principal.kind === "session" || !principal.recalled) return;
  throw new GroveError("FORBIDDEN", "The credential has to be looked up for this.");
}
