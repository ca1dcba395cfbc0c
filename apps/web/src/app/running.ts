import { queries } from "./api";

const VISIBLE_MS = 3_000;
/** A hidden tab asks less often. Its title still tells how many agents ask. */
const HIDDEN_MS = 15_000;

/** The agents that run, read again and again: one list for the frame and for every page. */
export const runningAgents = (organizationId: string) =>
  queries.agent.listSessions.queryOptions(
    { organizationId, status: "running" },
    {
      refetchInterval: () => (document.visibilityState === "visible" ? VISIBLE_MS : HIDDEN_MS),
      refetchIntervalInBackground: true,
    },
  );
