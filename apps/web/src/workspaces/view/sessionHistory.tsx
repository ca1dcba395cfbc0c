import { Link } from "@tanstack/react-router";
import { AgentBadge } from "../../components/agentBadge";
import { SessionState } from "../../components/sessionState";
import { sessionName } from "../../lib/agentSessions/sessionName";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { withView } from "./pageLayout";
import { useWorkspaceSessions } from "./useWorkspaceView";

/** The workspace's sessions, newest first. */
export function SessionHistory({ workspaceId }: { workspaceId: string }) {
  const { data = [], error, isSuccess } = useWorkspaceSessions(workspaceId);
  return (
    <Section title="Agents">
      {error && <Problem title="Could not load the agents." error={error} />}
      {isSuccess && data.length === 0 && <p className="text-muted">No agents yet.</p>}
      {data.length > 0 && (
        <ul className="flex flex-col divide-y divide-line border-line border-y">
          {data.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <Link
                from="/o/$organization/workspaces/$workspaceId"
                to="."
                search={(previous) => withView(previous, { tab: session.id })}
                className="min-w-0 truncate font-medium underline-offset-3 hover:underline"
              >
                <VisibleName>{sessionName(session)}</VisibleName>
              </Link>
              <AgentBadge session={session} />
              <SessionState session={session} />
              <span className="ml-auto text-muted text-sm">
                <Time at={session.startedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
