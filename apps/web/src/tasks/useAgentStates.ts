import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { runningSessionsQuery } from "../lib/runningSessionsQuery";
import type { SessionStateName } from "../lib/sessionActivity";
import { agentStatesOf } from "./agentStates";

/** Returns the state of each task with running agents. */
export function useAgentStates(): ReadonlyMap<string, SessionStateName> {
  const { id: organizationId } = useOrganization();
  return agentStatesOf(useQuery(runningSessionsQuery(organizationId)).data ?? []);
}
