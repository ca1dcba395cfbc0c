import { startTransition, useCallback, useState } from "react";

/** The page size of a column, enough for most screens. The next page is rendered when its end comes near. */
const PAGE_SIZE = 10;

/** The number of rendered cards of each column, and a function that renders the next page of one. */
export function useColumnPages() {
  const [counts, setCounts] = useState<Record<string, number>>({});
  const showMore = useCallback(
    (status: string) =>
      startTransition(() =>
        setCounts((before) => ({ ...before, [status]: (before[status] ?? PAGE_SIZE) + PAGE_SIZE })),
      ),
    [],
  );
  return { countOf: (status: string) => counts[status] ?? PAGE_SIZE, showMore };
}
