import type { AgentSession } from "@grove/schemas";
import { sessionName } from "../lib/agentSessions/sessionName";
import { VisibleName } from "../ui/visibleName";

/** The agent of a session, beside the session's name. Renders nothing if the name is the agent's. */
export const AgentBadge = ({ session }: { session: AgentSession }) =>
  sessionName(session) === session.agent ? null : (
    <VisibleName className="max-w-40 shrink-0 truncate rounded border border-line px-1.5 text-muted text-xs">
      {session.agent}
    </VisibleName>
  );
