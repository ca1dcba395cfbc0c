/** As many items as the API gives at once. */
const PAGE = 1000;

/**
 * Every item of a list, read page by page as they are asked for.
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
    // A full page may be the last one all the same: only a shorter one says so.
    last = items.length < PAGE ? undefined : items.at(-1);
  } while (last);
}

/** Members go by their user's id. */
const idOf = (item: { id: string } | { userId: string }) => ("id" in item ? item.id : item.userId);
