import { SESSION_LINE_LENGTH, withoutHidden } from "@grove/schemas";

/** One line for lists, without hidden characters and cut to {@link SESSION_LINE_LENGTH}; null if nothing is left. */
export const lineText = (text: string): string | null =>
  withoutHidden(text.slice(0, 2 * SESSION_LINE_LENGTH))
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, SESSION_LINE_LENGTH)
    // The first half of a surrogate pair that was cut.
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim() || null;
