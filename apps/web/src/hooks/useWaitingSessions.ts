import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { runningSessionsQuery } from "../lib/runningSessionsQuery";
import { waitingSessionsOf } from "../lib/waitingSessions";
import { useOrganization, useUser } from "./useOrganization";

/** Returns the organization's sessions that wait for the current user's input; undefined until they are loaded. */
export function useWaitingSessions(): AgentSession[] | undefined {
  const { id } = useOrganization();
  const { id: me } = useUser();
  const select = useCallback((sessions: AgentSession[]) => waitingSessionsOf(sessions, me), [me]);
  return useQuery({ ...runningSessionsQuery(id), select }).data;
}
