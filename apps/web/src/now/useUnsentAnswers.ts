import type { AgentSession } from "@grove/schemas";
import { useState } from "react";
import { oldestFirst } from "../lib/agentSessions/waitingSessions";

/** Keeps an agent in the list while its card has an unsent answer, even if it no longer waits for input. */
export function useUnsentAnswers(waitingSessions: readonly AgentSession[]) {
  const [unsent, setUnsent] = useState<ReadonlyMap<string, AgentSession>>(new Map());
  const waitingIds = new Set(waitingSessions.map(({ id }) => id));
  const kept = [...unsent.values()].filter(({ id }) => !waitingIds.has(id));
  const onUnsent = (session: AgentSession, isUnsent: boolean) =>
    setUnsent((before) => {
      if (before.has(session.id) === isUnsent) return before;
      const next = new Map(before);
      if (isUnsent) next.set(session.id, session);
      else next.delete(session.id);
      return next;
    });
  return {
    // A stable order, so that the focused field does not move.
    shown: [...waitingSessions, ...kept].toSorted(oldestFirst),
    waitingIds,
    onUnsent,
  };
}
