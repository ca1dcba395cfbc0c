import type { AgentSession } from "@grove/schemas";
import { waitsForInput } from "../lib/agentSessions/sessionActivity";

const rank = (session: AgentSession) => {
  if (waitsForInput(session)) return 0;
  return session.status === "running" ? 1 : 2;
};

/**
 * Sorts sessions and removes duplicates: waiting sessions first, then running ones, then ended ones. Each group has the
 * newest session first.
 */
export function sortSessions(sessions: readonly AgentSession[]): AgentSession[] {
  const unique = [...new Map(sessions.map((session) => [session.id, session])).values()];
  return unique.toSorted((a, b) => rank(a) - rank(b) || b.startedAt.localeCompare(a.startedAt));
}
