import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { setPendingQuote } from "../../lib/pendingQuote";

/**
 * Takes a quote to the terminal of an agent that runs in the workspace, or to the form that starts one. The user
 * completes and sends it there.
 */
export function useAskAgent(
  organizationId: string,
  workspaceId: string,
  onOpenSession: (sessionId: string) => void,
) {
  const { slug: organization } = useOrganization();
  const navigate = useNavigate();
  const running = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, status: "running" }),
  ).data;
  /** The quote, while the user chooses one of several agents. */
  const [quote, setQuote] = useState<string>();
  const openTerminal = (sessionId: string, text: string) => {
    setPendingQuote(sessionId, text);
    onOpenSession(sessionId);
  };
  return {
    label: running?.length === 0 ? "Start an agent" : "Ask the agent",
    askAgent: (text: string) => {
      const [first, ...others] = running ?? [];
      if (others.length > 0) setQuote(text);
      else if (first) openTerminal(first.id, text);
      else {
        setPendingQuote(workspaceId, text);
        const search = { workspace: workspaceId };
        void navigate({ to: "/o/$organization/agents/new", params: { organization }, search });
      }
    },
    /** Props of the dialog that chooses an agent. Undefined while it is closed. */
    choice:
      quote === undefined || !running
        ? undefined
        : {
            sessions: running,
            onChoose: (sessionId: string) => {
              setQuote(undefined);
              openTerminal(sessionId, quote);
            },
            onClose: () => setQuote(undefined),
          },
  };
}
