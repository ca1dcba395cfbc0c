/**
 * Derives a slug from ASCII text: lower-case letters and digits, with single hyphens between the words. Empty if the
 * text has neither. Callers transliterate other scripts first.
 */
export const toSlug = (ascii: string, maxLength: number): string =>
  ascii
    .toLowerCase()
    .replaceAll("'", "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, maxLength)
    .replace(/-$/, "");
