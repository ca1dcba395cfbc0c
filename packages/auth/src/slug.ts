import { randomBytes } from "node:crypto";
import anyAscii from "any-ascii";

/** The schemas' limit is 80; this leaves room for a suffix. */
const MAX_LENGTH = 71;

/**
 * A slug from a name in any script: lower-case letters, digits and single hyphens, at most 71 characters.
 * @param fallback for a name that leaves no characters
 */
export const slugOf = (name: string, fallback = "organization"): string =>
  anyAscii(name)
    .toLowerCase()
    .replaceAll("'", "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_LENGTH)
    .replace(/-$/, "") || fallback;

/** The slug with eight random characters, to distinguish it from others. */
export const distinct = (slug: string): string => `${slug}-${randomBytes(4).toString("hex")}`;
