import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { LoadedList } from "../components/loadedList";
import { SessionLine } from "../components/sessionLine";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";

const MAX_SESSIONS = 50;

/** The device's running agents and the latest ended ones, newest first. */
export function AgentsTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, deviceId, limit: MAX_SESSIONS }),
  );
  return (
    <LoadedList
      list={list}
      failed="Could not load the agents."
      empty={
        <EmptyState
          icon={Bot}
          title="No agents yet"
          action={
            <Link to="/o/$organization/agents/new" params={{ organization }} className={buttonClass()}>
              Start an agent
            </Link>
          }
        >
          An agent works in a workspace on a machine. The agents of this machine appear here.
        </EmptyState>
      }
    >
      {(sessions) => (
        <ul aria-label="Agents" className="flex flex-col divide-y divide-line border-line border-b">
          {sessions.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <SessionLine session={session} />
            </li>
          ))}
        </ul>
      )}
    </LoadedList>
  );
}
