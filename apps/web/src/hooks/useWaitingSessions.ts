import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import {
  forgetContinuedSessions,
  isDismissed,
  useDismissedSessions,
} from "../lib/agentSessions/dismissedSessions";
import { waitingSessionsOf } from "../lib/agentSessions/waitingSessions";
import { runningSessionsQuery } from "../lib/queries/runningSessionsQuery";
import { useOrganization, useUser } from "./useOrganization";

/**
 * Returns the organization's sessions that wait for the current user's input, without the dismissed ones; undefined
 * until they are loaded.
 */
export function useWaitingSessions(): AgentSession[] | undefined {
  const { id } = useOrganization();
  const { id: me } = useUser();
  const dismissed = useDismissedSessions();
  const { data: running } = useQuery(runningSessionsQuery(id));
  useEffect(() => {
    if (running) forgetContinuedSessions(running);
  }, [running]);
  return useMemo(
    () => running && waitingSessionsOf(running, me).filter((session) => !isDismissed(session, dismissed)),
    [running, me, dismissed],
  );
}
