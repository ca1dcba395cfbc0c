import { queries } from "./api";

/** The agents that run: one list for the frame and for every page. */
export const runningSessions = (organizationId: string) =>
  queries.agent.listSessions.queryOptions({ organizationId, status: "running" });
