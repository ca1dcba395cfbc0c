import type { ApiKey } from "@grove/schemas";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { client, queries } from "../lib/api";
import { nextPageCursor } from "./nextPageCursor";

const PAGE_SIZE = 200;

/** Pages of the API keys that the user may see, newest first. */
export const keysQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: [...queries.apiKey.list.pathKey(), "pages", organizationId],
    queryFn: ({ pageParam: after }) =>
      client.apiKey.list.query({ organizationId, limit: PAGE_SIZE, ...(after !== undefined && { after }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: ApiKey[]) => nextPageCursor(page, PAGE_SIZE),
  });
