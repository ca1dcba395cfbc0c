/** The direction of each arrow key, in columns and cards. */
export const steps: Record<string, readonly [columns: number, cards: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * Returns the card that a key moves the focus to, if any. Up, Down, Home and End stay in the column; Left and Right
 * skip empty columns.
 * @param columns card ids by column
 */
export function cardAt(columns: readonly (readonly string[])[], id: string, key: string): string | undefined {
  const column = columns.findIndex((cards) => cards.includes(id));
  const cards = columns[column];
  if (!cards) return undefined;
  if (key === "Home") return cards[0];
  if (key === "End") return cards.at(-1);
  const [across, down] = steps[key] ?? [0, 0];
  if (across === 0) return down === 0 ? undefined : cards[cards.indexOf(id) + down];
  const beyond = across > 0 ? columns.slice(column + 1) : columns.slice(0, column).reverse();
  const next = beyond.find(({ length }) => length > 0);
  return next?.[Math.min(cards.indexOf(id), next.length - 1)];
}
