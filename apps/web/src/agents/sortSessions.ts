import type { AgentSession } from "@grove/schemas";

const rank = ({ status, waitingForInput }: AgentSession) => {
  if (waitingForInput) return 0;
  return status === "running" ? 1 : 2;
};

/** Sessions, each once: those that wait first, then those that run, then the ended ones; the newest first in each. */
export function sortSessions(sessions: readonly AgentSession[]): AgentSession[] {
  const once = [...new Map(sessions.map((session) => [session.id, session])).values()];
  return once.toSorted((a, b) => rank(a) - rank(b) || b.startedAt.localeCompare(a.startedAt));
}
