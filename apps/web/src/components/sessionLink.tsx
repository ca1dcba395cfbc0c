import type { AgentSession } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { sessionName } from "../lib/agentSessions/sessionName";
import { VisibleName } from "../ui/visibleName";
import { AgentBadge } from "./agentBadge";

/** A link to a session by its name, with its agent. */
export function SessionLink({ session }: { session: AgentSession }) {
  const { slug: organization } = useOrganization();
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-2">
      <Link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId: session.id }}
        className="min-w-0 truncate font-medium underline-offset-3 hover:underline"
      >
        <VisibleName>{sessionName(session)}</VisibleName>
      </Link>
      <AgentBadge session={session} />
    </span>
  );
}
