import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { runningSessions } from "../lib/runningSessions";
import { waitingSessionsOf } from "../lib/waitingSessions";
import { useOrganization, useUser } from "./useOrganization";

/** The agents of this organization that ask the person who looks; undefined until that is known. */
export function useWaitingSessions(): AgentSession[] | undefined {
  const { id } = useOrganization();
  const { id: me } = useUser();
  const select = useCallback((sessions: AgentSession[]) => waitingSessionsOf(sessions, me), [me]);
  return useQuery({ ...runningSessions(id), select }).data;
}
