import type { AgentSession } from "@grove/schemas";
import { waitsForInput } from "./sessionActivity";

/**
 * Returns the sessions that wait for this user's input, oldest first. A session with no known starter waits for every
 * user who can read it.
 */
export const waitingSessionsOf = (sessions: readonly AgentSession[], me: string): AgentSession[] =>
  sessions
    .filter(
      (session) =>
        waitsForInput(session) &&
        (session.startedBy === me || (session.startedBy === null && isReadable(session))),
    )
    .toSorted(oldestFirst);

/** Whether the user may read the output of a waiting session: for other users, the API leaves out its question. */
const isReadable = ({ questionText, activity }: AgentSession) =>
  (questionText ?? activity?.detail ?? null) !== null;

/** The order in which waiting agents are listed. */
export const oldestFirst = (one: AgentSession, other: AgentSession): number =>
  one.startedAt.localeCompare(other.startedAt);

/** Returns the next waiting session, cyclically; the first if the current one does not wait. */
export function nextWaitingSession(
  waiting: readonly AgentSession[],
  current: string | undefined,
): AgentSession | undefined {
  const at = waiting.findIndex(({ id }) => id === current);
  return waiting[(at + 1) % waiting.length];
}
