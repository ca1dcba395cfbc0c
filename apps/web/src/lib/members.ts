import type { Member } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { client, queries } from "./api";

/** The most that the API returns in a page. */
const PAGE = 1_000;

/** All members, over all pages of the API: many pages name them, and count those who may do something. */
export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: queries.organization.listMembers.queryKey({ organizationId }),
    queryFn: async () => {
      const members: Member[] = [];
      let after: string | undefined;
      do {
        const page = { limit: PAGE, ...(after !== undefined && { after }) };
        const more = await client.organization.listMembers.query({ organizationId, ...page });
        members.push(...more);
        after = more.length < PAGE ? undefined : more.at(-1)?.userId;
      } while (after !== undefined);
      return members;
    },
  });
