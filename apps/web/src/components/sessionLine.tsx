import type { AgentSession } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { SessionState } from "./sessionState";

export function SessionLine({ session }: { session: AgentSession }) {
  const { slug: organization } = useOrganization();
  return (
    <>
      <Link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId: session.id }}
        className="min-w-0 truncate font-medium underline-offset-3 hover:underline"
      >
        <VisibleName>{session.agent}</VisibleName>
      </Link>
      <SessionState session={session} />
      <span className="ml-auto text-muted text-sm">
        <Time at={session.startedAt} />
      </span>
    </>
  );
}
