import { MAX_ITEMS } from "./ports";

/** The items of all pages, up to {@link MAX_ITEMS}. */
export async function collect<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length >= MAX_ITEMS) break;
  }
  return items.slice(0, MAX_ITEMS);
}
