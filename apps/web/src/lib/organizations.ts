import { queries, queryClient } from "./api";

/** Reads the person's organizations again: after one more, one less, or another name or role. */
export const readOrganizationsAgain = () =>
  queryClient.fetchQuery({ ...queries.organization.list.queryOptions(), staleTime: 0 });
