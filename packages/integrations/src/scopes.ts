import { MAX_SCOPE_LENGTH, MAX_SCOPES } from "@grove/schemas";

/**
 * Reads the scopes that a provider states, a list separated by commas or spaces. Undefined if it states none: GitHub's
 * list is empty for tokens with permissions of another kind.
 */
export function readScopes(stated: unknown): string[] | undefined {
  const listed = [stated].flat().filter((part) => typeof part === "string");
  // The characters of RFC 6749, section 3.3.
  const scopes = listed
    .join(" ")
    .split(/[\s,]+/)
    .filter((scope) => /^[\x21-\x7e]+$/.test(scope) && scope.length <= MAX_SCOPE_LENGTH);
  return scopes.length === 0 ? undefined : [...new Set(scopes)].slice(0, MAX_SCOPES);
}
