import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, Plus } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { SessionState } from "../components/sessionState";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { sortSessions } from "./sortSessions";

/** The number of latest sessions in the list, in addition to the running ones. */
const LATEST = 100;

/** The organization's agents: waiting agents first, then running ones, then ended ones. */
export function AgentsPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const running = useQuery(queries.agent.listSessions.queryOptions({ organizationId, status: "running" }));
  const latest = useQuery(queries.agent.listSessions.queryOptions({ organizationId, limit: LATEST }));
  const start = (
    <Link to="/o/$organization/agents/new" params={{ organization }} className={buttonClass("primary")}>
      <Plus aria-hidden="true" className="size-4" />
      Start an agent
    </Link>
  );
  const sessions = sortSessions([...(running.data ?? []), ...(latest.data ?? [])]);
  const error = running.error ?? latest.error;
  return (
    <Page title="Agents" actions={sessions.length > 0 && start}>
      {error && (
        <Problem
          title="Could not load the agents."
          error={error}
          onRetry={() => void Promise.all([running.refetch(), latest.refetch()])}
        />
      )}
      {latest.isPending && sessions.length === 0 && <Skeleton />}
      {latest.data && sessions.length === 0 && (
        <Empty icon={Bot} title="No agent has run yet" action={start}>
          An agent is a program such as Claude Code or Codex that works in a workspace. You can watch its
          terminal here, and type into it.
        </Empty>
      )}
      {sessions.length > 0 && (
        <Table label="Agents" columns={["Agent", "State", "Workspace", "Device", "Started"]}>
          {sessions.map((session) => (
            <AgentLine key={session.id} session={session} />
          ))}
        </Table>
      )}
    </Page>
  );
}

function AgentLine({ session }: { session: AgentSession }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const workspace = workspaces.data?.find(({ id }) => id === session.workspaceId);
  return (
    <Row>
      <Cell>
        <Link
          to="/o/$organization/agents/$sessionId"
          params={{ organization, sessionId: session.id }}
          className="wrap-anywhere font-medium hover:underline"
        >
          <VisibleName>{session.agent}</VisibleName>
        </Link>
      </Cell>
      <Cell>
        <SessionState session={session} />
        {session.error && (
          <div className="mt-0.5 max-w-md pl-5 text-muted text-xs">{session.error.message}</div>
        )}
      </Cell>
      <Cell quiet>
        {workspace ? (
          <Link
            to="/o/$organization/workspaces/$workspaceId"
            params={{ organization, workspaceId: workspace.id }}
            className="wrap-anywhere hover:underline"
          >
            <VisibleName>{workspace.name}</VisibleName>
          </Link>
        ) : (
          <span>{workspaces.isPending ? "…" : "Deleted"}</span>
        )}
      </Cell>
      <Cell quiet>
        {devices.isPending ? (
          "…"
        ) : (
          <DeviceName device={devices.data?.find(({ id }) => id === session.deviceId)} />
        )}
      </Cell>
      <Cell quiet>
        <Time at={session.startedAt} />
      </Cell>
    </Row>
  );
}
