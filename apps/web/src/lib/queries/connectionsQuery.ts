import { queries } from "../api";

/** More than an organization can have. */
const ALL = 100;

/** Query options for all connections of an organization. */
export const connectionsQuery = (organizationId: string) =>
  queries.integration.list.queryOptions({ organizationId, limit: ALL });
