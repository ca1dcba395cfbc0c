import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import type { SessionStateName } from "../lib/agentSessions/sessionActivity";
import { runningSessionsQuery } from "../lib/queries/runningSessionsQuery";
import { agentStatesOf } from "./agentStates";

/** Returns the state of each task with running agents. */
export function useAgentStates(): ReadonlyMap<string, SessionStateName> {
  const { id: organizationId } = useOrganization();
  return agentStatesOf(useQuery(runningSessionsQuery(organizationId)).data ?? []);
}
