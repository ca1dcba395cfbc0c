import type { Member } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { client, queries } from "../api";
import { nextCursor } from "./nextCursor";

/** The API's maximum page size. */
const MAX_PAGE_SIZE = 1_000;

/** Query options for all members, over all pages of the API. */
export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: queries.organization.listMembers.queryKey({ organizationId }),
    queryFn: async () => {
      const members: Member[] = [];
      let after: string | undefined;
      do {
        const page = { limit: MAX_PAGE_SIZE, ...(after !== undefined && { after }) };
        const more = await client.organization.listMembers.query({ organizationId, ...page });
        members.push(...more);
        after = nextCursor(more);
      } while (after !== undefined);
      return members;
    },
  });
