/** A thing of which the newer version is known by its time. */
interface Versioned {
  id: string;
  updatedAt: string;
}

/** Whether what came last is older than what is known. Answers and events may overtake one another. */
export const isOlder = (item: Versioned, known: Versioned): boolean =>
  Date.parse(item.updatedAt) < Date.parse(known.updatedAt);

/**
 * A list after one of its things was made or changed: in any order, and as often as it comes.
 * @param belongs whether the thing passes the list's filter
 */
export function withItem<Item extends Versioned>(items: Item[], item: Item, belongs: boolean): Item[] {
  const at = items.findIndex(({ id }) => id === item.id);
  const known = items[at];
  if (known && isOlder(item, known)) return items;
  if (!belongs) return known ? items.toSpliced(at, 1) : items;
  return known ? items.with(at, item) : [...items, item];
}

/** A list after one of its things was deleted. */
export const withoutItem = <Item extends { id: string }>(items: Item[], id: string): Item[] =>
  items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
