import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AgentBadge } from "../components/agentBadge";
import { DeviceName } from "../components/deviceName";
import { RenameSession } from "../components/renameSession";
import { SessionState } from "../components/sessionState";
import { SessionTask } from "../components/sessionTask";
import { StartAgain } from "../components/startAgain";
import { StopSession } from "../components/stopSession";
import { useMarkSessionSeen } from "../hooks/useMarkSessionSeen";
import { useOrganization } from "../hooks/useOrganization";
import { sessionName } from "../lib/agentSessions/sessionName";
import { queries } from "../lib/api";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

/** The name and state of a session, and what can be done with it. */
export function AgentHeader({ session }: { session: AgentSession }) {
  useMarkSessionSeen(session);
  const { id: organizationId, slug: organization } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const workspace = workspaces.data?.find(({ id }) => id === session.workspaceId);
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 pt-3">
      <span className="flex min-w-0 max-w-full items-center gap-1.5">
        <h1 className="min-w-0 truncate font-semibold text-lg">
          <VisibleName title={sessionName(session)}>{sessionName(session)}</VisibleName>
        </h1>
        <AgentBadge session={session} />
        <RenameSession session={session} />
      </span>
      <SessionState session={session} />
      <span className="flex flex-wrap gap-x-1.5 text-muted">
        {workspace && (
          <>
            in
            <Link
              to="/o/$organization/workspaces/$workspaceId"
              params={{ organization, workspaceId: workspace.id }}
              search={{ tab: session.id }}
              className="text-ink hover:underline"
            >
              <VisibleName>{workspace.name}</VisibleName>
            </Link>
          </>
        )}
        {devices.data && (
          <>
            on <DeviceName device={devices.data.find(({ id }) => id === session.deviceId)} />
          </>
        )}
        <span aria-hidden="true">·</span>
        {session.endedAt ? "ended" : "since"} <Time at={session.endedAt ?? session.startedAt} />
      </span>
      <SessionTask session={session} />
      <div className="ml-auto flex items-center gap-2">
        {session.status === "running" ? (
          <StopSession id={session.id} />
        ) : (
          session.workspaceId && <StartAgain session={session} workspace={session.workspaceId} />
        )}
      </div>
      {session.error && <p className="w-full text-danger">{session.error.message}</p>}
    </header>
  );
}
