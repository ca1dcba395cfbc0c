import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { queries } from "../app/api";
import { SessionState } from "../app/sessionState";
import { useOrganization } from "../app/useOrganization";
import { Time } from "../ui/time";

/** The agents that work on a task, or have worked on it. */
export function WorkAgents({ taskId }: { taskId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const { data = [] } = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, taskId, limit: 20 }),
  );
  if (data.length === 0) return null;
  return (
    <ul aria-label="Agents" className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {data.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2.5">
          <Bot aria-hidden="true" className="size-4 shrink-0 text-muted" />
          <Link
            to="/o/$organization/agents/$sessionId"
            params={{ organization, sessionId: session.id }}
            className="min-w-0 truncate font-medium underline-offset-3 hover:underline"
          >
            <bdi>{session.agent}</bdi>
          </Link>
          <SessionState session={session} />
          <span className="ml-auto text-muted text-sm">
            <Time at={session.startedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
