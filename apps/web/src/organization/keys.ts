import type { ApiKey } from "@grove/schemas";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { client, queries } from "../lib/api";
import { afterPage } from "./afterPage";

const PAGE = 200;

/** The API keys that this person may see, newest first: a page, and each next one when it is asked for. */
export const keysQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: [...queries.apiKey.list.pathKey(), "pages", organizationId],
    queryFn: ({ pageParam: after }) =>
      client.apiKey.list.query({ organizationId, limit: PAGE, ...(after !== undefined && { after }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: ApiKey[]) => afterPage(page, PAGE),
  });
