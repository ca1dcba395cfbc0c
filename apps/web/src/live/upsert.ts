/** An item versioned by `updatedAt`. */
interface Versioned {
  id: string;
  updatedAt: string;
}

/** Whether an item is older than the known one. Responses and events may overtake one another. */
export const isOlder = (item: Versioned, known: Versioned): boolean =>
  Date.parse(item.updatedAt) < Date.parse(known.updatedAt);

/**
 * Upserts an item into a list. Idempotent, and safe when events arrive out of order.
 * @param belongs whether the item passes the list's filter
 */
export function upsertItem<Item extends Versioned>(items: Item[], item: Item, belongs: boolean): Item[] {
  const at = items.findIndex(({ id }) => id === item.id);
  const known = items[at];
  if (known && isOlder(item, known)) return items;
  if (!belongs) return known ? items.toSpliced(at, 1) : items;
  return known ? items.with(at, item) : [...items, item];
}

/** Removes an item. Returns the same array if the item is not in it. */
export const removeItem = <Item extends { id: string }>(items: Item[], id: string): Item[] =>
  items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
