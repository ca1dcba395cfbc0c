/** As many items as the API gives at once. */
const PAGE = 1000;
/** A page of large items may end early, but it has at least so many: a shorter one is the last. */
const LEAST = 16;

/**
 * Every item of a list, read page by page as they are asked for. A page of fewer than 16 items is the last; after any
 * other the next is asked for, since a page of large items may be shorter than its limit.
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
    last = items.length < LEAST ? undefined : items.at(-1);
  } while (last);
}

/** Members go by their user's id. */
const idOf = (item: { id: string } | { userId: string }) => ("id" in item ? item.id : item.userId);
