import type { AgentSession } from "@grove/schemas";
import { useEffect } from "react";
import { client, queries, queryClient } from "../lib/api";
import { useOrganization } from "./useOrganization";

/** The states of an agent whose turn has ended. */
const ended: readonly string[] = ["done", "idle", "limited", "failed"];

/** Records that the user has seen a session after its turn ended: its terminal is open, and the tab has the focus. */
export function useMarkSessionSeen({ id, activity }: AgentSession): void {
  const { id: organizationId } = useOrganization();
  const since = activity && ended.includes(activity.state) ? activity.since : undefined;
  useEffect(() => {
    if (since === undefined) return;
    const mark = () => {
      if (!document.hasFocus()) return;
      removeEventListener("focus", mark);
      client.agent.markSessionSeen
        .mutate({ organizationId, id, seen: since })
        .then(() => queryClient.invalidateQueries(queries.agent.listSeenSessions.pathFilter()))
        // The session stays on the list until the user opens it again.
        .catch(() => undefined);
    };
    addEventListener("focus", mark);
    mark();
    return () => removeEventListener("focus", mark);
  }, [organizationId, id, since]);
}
