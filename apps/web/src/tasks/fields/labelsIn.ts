/** Parses comma-separated labels, without duplicates. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((label) => label.trim())
      .filter((label) => label !== ""),
  ),
];

const MAX_SUGGESTIONS = 20;

/** Returns the known labels that contain the text and are not selected. Labels that begin with the text come first. */
export function suggestedLabels(
  known: readonly string[],
  selected: readonly string[],
  text: string,
): string[] {
  const query = text.trim().toLowerCase();
  const begins = (label: string) => label.toLowerCase().startsWith(query);
  return known
    .filter((label) => !selected.includes(label) && label.toLowerCase().includes(query))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)))
    .slice(0, MAX_SUGGESTIONS);
}
