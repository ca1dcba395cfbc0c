import { queries } from "../api";

/** Query options for the running sessions. The frame and the pages share this query. */
export const runningSessionsQuery = (organizationId: string) =>
  queries.agent.listSessions.queryOptions({ organizationId, status: "running" });
