import type { AgentRequest } from "@grove/schemas";
import { useCallback, useState } from "react";
import { keepItems } from "./groupRequests";
import { type RequestContext, RequestList } from "./requestList";

interface RequestInboxProps extends RequestContext {
  /** The open requests. */
  requests: readonly AgentRequest[];
}

/** The open requests. Each stays for a moment after it was settled. */
export function RequestInbox({ requests, sessions, ...context }: RequestInboxProps) {
  const [before, setKept] = useState(requests);
  const kept = keepItems(before, requests);
  if (kept !== before) setKept(kept);
  // A settled request may be of a session that has ended, and is no longer among the running ones.
  const [sessionsBefore, setSessions] = useState(sessions);
  const latest = sessions.filter(({ id }) => kept.some(({ sessionId }) => sessionId === id));
  const keptSessions = keepItems(sessionsBefore, latest);
  if (keptSessions !== sessionsBefore) setSessions(keptSessions);
  const dismiss = useCallback((id: string) => setKept((all) => all.filter((one) => one.id !== id)), []);
  return (
    <RequestList
      requests={kept}
      openIds={new Set(requests.map(({ id }) => id))}
      sessions={keptSessions}
      onDismiss={dismiss}
      {...context}
    />
  );
}
