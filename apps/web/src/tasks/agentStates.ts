import type { AgentSession } from "@grove/schemas";
import { type SessionStateName, stateLabels, stateOf } from "../lib/agentSessions/sessionActivity";

/** The states, most urgent first. */
const byUrgency = Object.keys(stateLabels);

/** Returns the state of each task with these agents: of several agents, the most urgent state. */
export function agentStatesOf(sessions: readonly AgentSession[]): ReadonlyMap<string, SessionStateName> {
  const states = new Map<string, SessionStateName>();
  for (const session of sessions) {
    if (session.taskId === null) continue;
    const state = stateOf(session);
    const known = states.get(session.taskId);
    if (!known || byUrgency.indexOf(state) < byUrgency.indexOf(known)) states.set(session.taskId, state);
  }
  return states;
}
