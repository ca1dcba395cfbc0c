import type { AgentSession } from "@grove/schemas";

/**
 * The agents that ask this person, the oldest first. An agent that nobody here has started asks everybody who may read
 * its output.
 */
export const waitingSessionsOf = (sessions: readonly AgentSession[], me: string): AgentSession[] =>
  sessions
    .filter(
      ({ waitingForInput, startedBy, asks }) =>
        waitingForInput && (startedBy === me || (startedBy === null && asks !== null)),
    )
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));

/** The agent after this one, in a circle; the first if this one does not ask. */
export function nextWaitingSession(
  asking: readonly AgentSession[],
  current: string | undefined,
): AgentSession | undefined {
  const at = asking.findIndex(({ id }) => id === current);
  return asking[(at + 1) % asking.length];
}
