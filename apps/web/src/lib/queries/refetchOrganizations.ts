import { queries, queryClient } from "../api";

/** Refetches the user's organizations after one was added, removed or changed. */
export async function refetchOrganizations() {
  const list = queries.organization.list.queryOptions();
  // A second fetch would share the result of one in progress, which may have begun before the change.
  await queryClient.cancelQueries(list);
  return queryClient.fetchQuery({ ...list, staleTime: 0 });
}
