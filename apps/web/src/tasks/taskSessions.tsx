import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { SessionLine } from "../components/sessionLine";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";

/** The task's agent sessions, running and ended. */
export function TaskSessions({ taskId }: { taskId: string }) {
  const { id: organizationId } = useOrganization();
  const { data = [] } = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, taskId, limit: 20 }),
  );
  if (data.length === 0) return null;
  return (
    <ul aria-label="Agents" className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {data.map((session) => (
        <li key={session.id} className="flex items-start gap-3 px-3 py-2.5">
          <Bot aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
            <SessionLine session={session} />
          </div>
        </li>
      ))}
    </ul>
  );
}
