import { queries, queryClient } from "./api";

/** Refetches the user's organizations after one was added, removed or changed. */
export const refetchOrganizations = () =>
  queryClient.fetchQuery({ ...queries.organization.list.queryOptions(), staleTime: 0 });
