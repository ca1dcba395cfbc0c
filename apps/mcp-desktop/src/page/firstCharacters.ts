/** The first characters of a text on one line, followed by … if it was cut. */
export const firstCharacters = (text: string, length: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  // Keep whole characters: an emoji is two units of a string.
  return line.length <= length ? line : `${Array.from(line.slice(0, length)).slice(0, -1).join("")}…`;
};
