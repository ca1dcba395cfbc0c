import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Bot, Plus } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { LastLine } from "../components/lastLine";
import { SessionLink } from "../components/sessionLink";
import { SessionState } from "../components/sessionState";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button, buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { FilterBar } from "./filterBar";
import { filterSessions, readFilter, type SessionFilter } from "./filters";
import { sortSessions } from "./sortSessions";

const route = getRouteApi("/signed-in/o/$organization/agents");

/** The number of latest sessions in the list, in addition to the running ones. */
const LATEST = 100;

/** The organization's agents: waiting agents first, then running ones, then ended ones. */
export function AgentsPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const filter = readFilter(route.useSearch());
  const navigate = route.useNavigate();
  const setFilter = (next: SessionFilter) => void navigate({ to: ".", search: next, replace: true });
  const running = useQuery(queries.agent.listSessions.queryOptions({ organizationId, status: "running" }));
  const latest = useQuery(
    queries.agent.listSessions.queryOptions({
      organizationId,
      limit: LATEST,
      ...(filter.device !== undefined && { deviceId: filter.device }),
    }),
  );
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const start = (
    <Link to="/o/$organization/agents/new" params={{ organization }} className={buttonClass("primary")}>
      <Plus aria-hidden="true" className="size-4" />
      Start an agent
    </Link>
  );
  const sessions = sortSessions([...(running.data ?? []), ...(latest.data ?? [])]);
  const shown = filterSessions(sessions, filter);
  const isFiltered = Object.keys(filter).length > 0;
  const error = running.error ?? latest.error;
  return (
    <Page title="Agents" actions={(sessions.length > 0 || isFiltered) && start}>
      {error && (
        <Problem
          title="Could not load the agents."
          error={error}
          onRetry={() => void Promise.all([running.refetch(), latest.refetch()])}
        />
      )}
      {latest.isPending && sessions.length === 0 && <Skeleton />}
      {(sessions.length > 0 || isFiltered) && (
        <FilterBar filter={filter} sessions={sessions} devices={devices.data ?? []} onChange={setFilter} />
      )}
      {latest.data && shown.length === 0 && isFiltered && (
        <EmptyState
          icon={Bot}
          title="No agents match this filter"
          action={<Button onClick={() => setFilter({})}>Clear filter</Button>}
        >
          The list shows running agents and the latest {LATEST} sessions.
        </EmptyState>
      )}
      {latest.data && sessions.length === 0 && !isFiltered && (
        <EmptyState icon={Bot} title="No agents yet" action={start}>
          An agent is a program such as Claude Code or Codex that works in a workspace. You can watch its
          terminal here, and type into it.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <Table label="Agents" columns={["Agent", "State", "Workspace", "Device", "Started"]}>
          {shown.map((session) => (
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
        <span className="block max-w-[min(26rem,60vw)]">
          <SessionLink session={session} />
          <LastLine session={session} />
        </span>
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
