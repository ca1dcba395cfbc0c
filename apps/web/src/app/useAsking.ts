import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { askingOf } from "./asking";
import { runningAgents } from "./running";
import { useOrganization, useUser } from "./useOrganization";

/** The agents of this organization that ask the person who looks; undefined until that is known. */
export function useAsking(): AgentSession[] | undefined {
  const { id } = useOrganization();
  const { id: me } = useUser();
  const select = useCallback((sessions: AgentSession[]) => askingOf(sessions, me), [me]);
  return useQuery({ ...runningAgents(id), select }).data;
}
