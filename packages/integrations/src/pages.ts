/** The most items of a list, the most recently changed first. It bounds the requests to a provider. */
export const MAX_ITEMS = 1000;

/** The items of all pages, up to {@link MAX_ITEMS}. */
export async function collect<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length >= MAX_ITEMS) break;
  }
  return items.slice(0, MAX_ITEMS);
}
