import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { SessionLine } from "../components/sessionLine";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";

const LATEST = 50;

/** The device's running agents and the latest ended ones, newest first. */
export function AgentsTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(queries.agent.listSessions.queryOptions({ organizationId, deviceId, limit: LATEST }));
  if (list.error && !list.data)
    return (
      <Problem title="Could not load the agents." error={list.error} onRetry={() => void list.refetch()} />
    );
  if (!list.data) return <Skeleton />;
  if (list.data.length === 0)
    return (
      <Empty
        icon={Bot}
        title="No agent has run here"
        action={
          <Link to="/o/$organization/agents/new" params={{ organization }} className={buttonClass()}>
            Start an agent
          </Link>
        }
      >
        An agent works in a workspace on a machine. The agents of this machine appear here.
      </Empty>
    );
  return (
    <ul aria-label="Agents" className="flex flex-col divide-y divide-line border-line border-b">
      {list.data.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
          <SessionLine session={session} />
        </li>
      ))}
    </ul>
  );
}
