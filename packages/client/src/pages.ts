import { MIN_PAGE } from "@grove/schemas";

/** The most items that the API returns in a page. */
const PAGE = 1000;

/**
 * Iterates over every item of a list and reads each page when it is needed. A page of large items may be shorter than
 * its limit, so only a page of fewer than {@link MIN_PAGE} items is the last one.
 *
 * ```ts
 * for await (const device of allOf((page) => grove.device.list.query({ organizationId, ...page }))) …
 * ```
 */
export async function* allOf<Item extends { id: string } | { userId: string }>(
  list: (page: { limit: number; after?: string }) => Promise<Item[]>,
): AsyncGenerator<Item, void> {
  let last: Item | undefined;
  do {
    const items: Item[] = await list({ limit: PAGE, ...(last && { after: idOf(last) }) });
    yield* items;
    last = items.length < MIN_PAGE ? undefined : items.at(-1);
  } while (last);
}

/** Returns the id that a list takes as `after`: an item's own, or a member's user's. */
export const idOf = (item: { id: string } | { userId: string }) => ("id" in item ? item.id : item.userId);
