import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { setPendingQuote } from "../lib/pendingQuote";

/**
 * Takes a quote to the terminal of an agent that runs in a workspace, or to the form that starts one. The person
 * finishes and sends it there.
 */
export function useAskAgent(organizationId: string, workspaceId: string) {
  const { slug: organization } = useOrganization();
  const navigate = useNavigate();
  const running = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, status: "running" }),
  ).data;
  /** The quote, while it is asked which of several agents gets it. */
  const [waiting, setWaiting] = useState<string>();
  const take = (sessionId: string, text: string) => {
    setPendingQuote(sessionId, text);
    void navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } });
  };
  return {
    words: running?.length === 0 ? "Start an agent" : "Ask the agent",
    ask: (text: string) => {
      const [first, ...others] = running ?? [];
      if (others.length > 0) setWaiting(text);
      else if (first) take(first.id, text);
      else {
        setPendingQuote(workspaceId, text);
        const search = { workspace: workspaceId };
        void navigate({ to: "/o/$organization/agents/new", params: { organization }, search });
      }
    },
    /** The agents to choose from, and what follows. Undefined while there is nothing to choose. */
    choice:
      waiting === undefined || !running
        ? undefined
        : {
            sessions: running,
            onChoose: (sessionId: string) => take(sessionId, waiting),
            onClose: () => setWaiting(undefined),
          },
  };
}
