import type { AgentSession } from "@grove/schemas";

/**
 * Returns the sessions that wait for this user's input, oldest first. A session with no known starter waits for every
 * user who can read it.
 */
export const waitingSessionsOf = (sessions: readonly AgentSession[], me: string): AgentSession[] =>
  sessions
    .filter(
      ({ waitingForInput, startedBy, asks }) =>
        waitingForInput && (startedBy === me || (startedBy === null && asks !== null)),
    )
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));

/** Returns the next waiting session, cyclically; the first if the current one does not wait. */
export function nextWaitingSession(
  waiting: readonly AgentSession[],
  current: string | undefined,
): AgentSession | undefined {
  const at = waiting.findIndex(({ id }) => id === current);
  return waiting[(at + 1) % waiting.length];
}
