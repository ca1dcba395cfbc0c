import { queries } from "../../lib/api";

/** Query options for the open requests. */
export const openRequestsQuery = (organizationId: string) =>
  queries.agent.listRequests.queryOptions({ organizationId, status: "open" });

/** Query options for one request. */
export const requestQuery = (organizationId: string, id: string) =>
  queries.agent.getRequest.queryOptions({ organizationId, id });
