/** Returns the id after which the next page starts; undefined after the last page. */
export const nextPageCursor = (page: readonly { id: string }[], limit: number): string | undefined =>
  page.length < limit ? undefined : page.at(-1)?.id;
