import type { AgentSession } from "@grove/schemas";
import { useState } from "react";

/** Keeps an agent in the list while its card has an unsent answer, even if it no longer waits for input. */
export function useUnsentAnswers(asking: readonly AgentSession[]) {
  const [unsent, setUnsent] = useState<ReadonlyMap<string, AgentSession>>(new Map());
  const waiting = new Set(asking.map(({ id }) => id));
  const left = [...unsent.values()].filter(({ id }) => !waiting.has(id));
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
    shown: [...asking, ...left].toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)),
    waiting,
    onUnsent,
  };
}
