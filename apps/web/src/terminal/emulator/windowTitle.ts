import { withoutHidden } from "@grove/schemas";

/** In characters. A longer title ends with "…". */
const MAX_TITLE_LENGTH = 80;

/** Shortens a window title that a program sets, and removes invisible characters from it. */
export function sanitizeTitle(text: string): string {
  const title = withoutHidden(text).replaceAll(/\s+/g, " ").trim();
  const characters = [...title];
  return characters.length > MAX_TITLE_LENGTH
    ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`
    : title;
}
