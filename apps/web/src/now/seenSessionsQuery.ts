import { queries } from "../lib/api";

/** Query options for what the user has seen of running sessions. Other devices of the user change it, too. */
export const seenSessionsQuery = (organizationId: string) =>
  queries.agent.listSeenSessions.queryOptions({ organizationId }, { refetchOnWindowFocus: "always" });
