import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { TerminalPlaceholder } from "../components/terminalPlaceholder";
import { useAfterPaint } from "../hooks/useAfterPaint";
import { useOrganization } from "../hooks/useOrganization";
import { sessionName } from "../lib/agentSessions/sessionName";
import { queries } from "../lib/api";
import { lazily } from "../lib/browser/lazily";
import { useTitle } from "../ui/page";
import { Problem } from "../ui/problem";
import { AgentHeader } from "./agentHeader";

const Terminal = lazily(async () => (await import("../terminal/terminal")).Terminal);
const route = getRouteApi("/signed-in/o/$organization/agents/$sessionId");

/** One agent: its state, and its live terminal. */
export function AgentPage() {
  const { id: organizationId } = useOrganization();
  const { sessionId } = route.useParams();
  const session = useQuery(queries.agent.getSession.queryOptions({ organizationId, id: sessionId }));
  const isPainted = useAfterPaint();
  const [initialFocus] = useState(document.activeElement);
  useTitle(session.data ? `${sessionName(session.data)}: terminal` : "Agent");
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-96 flex-col gap-2 px-4 pb-4 sm:px-6 md:h-dvh">
      {session.error && !session.data && (
        <Problem
          title="Could not load the agent."
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      )}
      {session.data && (
        <>
          <AgentHeader session={session.data} />
          <Suspense fallback={<TerminalPlaceholder />}>
            {isPainted ? (
              <Terminal
                key={sessionId}
                organizationId={organizationId}
                session={session.data}
                // While the terminal loads, the user may have moved the focus to a button.
                shouldTakeFocus={() => [initialFocus, document.body].includes(document.activeElement)}
              />
            ) : (
              <TerminalPlaceholder />
            )}
          </Suspense>
        </>
      )}
    </div>
  );
}
