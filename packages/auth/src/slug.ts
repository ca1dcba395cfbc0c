import { randomBytes } from "node:crypto";
import { toSlug } from "@grove/schemas";
import anyAscii from "any-ascii";

/** The schemas' limit is 80; this leaves room for a suffix. */
const MAX_LENGTH = 71;

/**
 * A slug from a name in any script: lower-case letters, digits and single hyphens, at most 71 characters.
 * @param fallback for a name that leaves no characters
 */
export const slugOf = (name: string, fallback = "organization"): string =>
  toSlug(anyAscii(name), MAX_LENGTH) || fallback;

/** The slug with eight random characters, to distinguish it from others. */
export const withRandomSuffix = (slug: string): string => `${slug}-${randomBytes(4).toString("hex")}`;
