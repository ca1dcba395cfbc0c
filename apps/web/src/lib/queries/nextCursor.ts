import { MIN_PAGE } from "@grove/schemas";

/**
 * Returns the `after` of the next page; undefined after the last page. A page of large items may be shorter than its
 * limit, so only a page of fewer than {@link MIN_PAGE} items is the last one.
 */
export function nextCursor(page: readonly ({ id: string } | { userId: string })[]): string | undefined {
  const last = page.at(-1);
  if (page.length < MIN_PAGE || !last) return undefined;
  return "id" in last ? last.id : last.userId;
}
