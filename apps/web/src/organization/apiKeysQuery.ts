import { client, queries } from "../lib/api";
import { pagesQuery } from "../lib/queries/pagesQuery";

/** Pages of the API keys that the user may see, newest first. */
export const keysQuery = (organizationId: string) =>
  pagesQuery({
    queryKey: [...queries.apiKey.list.pathKey(), "pages", organizationId],
    list: (page) => client.apiKey.list.query({ organizationId, ...page }),
    limit: 200,
  });
