/** The id behind which the next page begins; undefined if this one is the last. */
export const afterPage = (page: readonly { id: string }[], limit: number): string | undefined =>
  page.length < limit ? undefined : page.at(-1)?.id;
