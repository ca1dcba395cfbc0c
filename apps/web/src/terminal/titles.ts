import { withoutHidden } from "@grove/schemas";

const LONGEST = 80;

/** The title that a program gives to its window, as people may see it: short, and without characters that deceive. */
export function titleOf(text: string): string {
  const title = withoutHidden(text).replaceAll(/\s+/g, " ").trim();
  const signs = [...title];
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST - 1).join("")}…` : title;
}
