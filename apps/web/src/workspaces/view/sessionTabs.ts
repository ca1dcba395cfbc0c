import type { AgentSession } from "@grove/schemas";
import { sessionName } from "../../lib/agentSessions/sessionName";

/** How long an ended session keeps its tab. */
const RECENT_MS = 3_600_000;
const MAX_ENDED = 3;

export interface SessionTab {
  session: AgentSession;
  /** The session's name, numbered if several tabs have it. */
  label: string;
}

/**
 * Returns the tabs of a workspace's sessions: the running ones, the recently ended ones, and the selected one. The
 * oldest is first, so that tabs keep their position when a session starts or ends.
 * @param sessions newest first
 */
export function sessionTabs(
  sessions: readonly AgentSession[],
  selected: AgentSession | undefined,
  now: number,
): SessionTab[] {
  const ended = sessions
    .filter(({ endedAt }) => endedAt !== null && now - Date.parse(endedAt) < RECENT_MS)
    .slice(0, MAX_ENDED);
  const shown = new Map<string, AgentSession>();
  for (const session of sessions) if (session.status === "running") shown.set(session.id, session);
  for (const session of selected ? [...ended, selected] : ended) shown.set(session.id, session);
  const counts = new Map<string, number>();
  return [...shown.values()]
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
    .map((session) => {
      const name = sessionName(session);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { session, label: count === 1 ? name : `${name} ${count}` };
    });
}
