import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

const waiting = new WeakSet<Query>();

/**
 * Asks again for what is on the screen, and marks everything else as outdated. An answer that is on its way may be
 * older than what has happened, so the question is asked once more after it.
 */
export function askAgain(cache: QueryClient, filter: { queryKey?: QueryKey; exact?: boolean }): void {
  for (const query of cache.getQueryCache().findAll(filter)) {
    const again = () => {
      waiting.delete(query);
      void cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    if (query.state.fetchStatus !== "fetching") again();
    else if (!waiting.has(query)) {
      waiting.add(query);
      void query.promise?.then(again, again);
    }
  }
}
