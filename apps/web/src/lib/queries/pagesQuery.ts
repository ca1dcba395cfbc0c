import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { nextCursor } from "./nextCursor";

/** The page size of the console's lists, unless a list sets its own. */
const PAGE_SIZE = 100;

interface Pages<Item> {
  queryKey: QueryKey;
  /** Returns one page. Pass `page` to a list procedure of the API. */
  list: (page: { limit: number; after?: string }) => Promise<Item[]>;
  /** The page size. */
  limit?: number;
  /** The API shortens pages of large items, so a page shorter than `limit` may not be the last one. */
  hasLargeItems?: boolean;
}

/** Query options for the pages of a list of the API. */
export const pagesQuery = <Item extends { id: string }>({
  queryKey,
  list,
  limit = PAGE_SIZE,
  hasLargeItems,
}: Pages<Item>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: after }) => list({ limit, ...(after !== undefined && { after }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Item[]) =>
      hasLargeItems || page.length >= limit ? nextCursor(page) : undefined,
  });
