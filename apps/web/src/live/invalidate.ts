import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

const queriesToInvalidate = new WeakSet<Query>();

/**
 * Invalidates queries; those on the screen are refetched. A response in flight may predate the change, so a query that
 * is being fetched is invalidated again after its response.
 */
export function invalidate(cache: QueryClient, filter: { queryKey?: QueryKey; exact?: boolean }): void {
  for (const query of cache.getQueryCache().findAll(filter)) {
    const run = () => {
      queriesToInvalidate.delete(query);
      void cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    if (query.state.fetchStatus !== "fetching") run();
    else if (!queriesToInvalidate.has(query)) {
      queriesToInvalidate.add(query);
      void query.promise?.then(run, run);
    }
  }
}
