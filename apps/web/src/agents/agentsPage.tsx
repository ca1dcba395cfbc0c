import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Bot, Grid2x2, Plus } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button, buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { AgentGrid } from "./agentGrid";
import { AgentTable } from "./agentTable";
import { SessionFilterBar } from "./sessionFilterBar";
import { filterSessions, readFilter, type SessionFilter } from "./sessionFilters";
import { sortSessions } from "./sortSessions";

const route = getRouteApi("/signed-in/o/$organization/agents");

/** The number of latest sessions in the list, in addition to the running ones. */
const LATEST = 100;

/** The organization's agents: waiting agents first, then running ones, then ended ones. */
export function AgentsPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const search = route.useSearch();
  const filter = readFilter(search);
  const isGrid = search.view === "grid";
  const navigate = route.useNavigate();
  const show = (next: SessionFilter, asGrid: boolean) =>
    void navigate({ to: ".", search: { ...next, ...(asGrid && { view: "grid" }) }, replace: true });
  const setFilter = (next: SessionFilter) => show(next, isGrid);
  const switchView = () => show(filter, !isGrid);
  useShortcuts({
    title: "Agents",
    scope: "page",
    shortcuts: [{ keys: "v", title: "Switch between list and grid", run: switchView }],
  });
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
    <Page title="Agents" wide={isGrid} actions={(sessions.length > 0 || isFiltered) && start}>
      {error && (
        <Problem
          title="Could not load the agents."
          error={error}
          onRetry={() => void Promise.all([running.refetch(), latest.refetch()])}
        />
      )}
      {latest.isPending && sessions.length === 0 && <Skeleton />}
      {(sessions.length > 0 || isFiltered) && (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-3">
          <SessionFilterBar
            filter={filter}
            sessions={sessions}
            devices={devices.data ?? []}
            onChange={setFilter}
          />
          <Button aria-pressed={isGrid} onClick={switchView}>
            <Grid2x2 aria-hidden="true" className="size-4" />
            Grid
          </Button>
        </div>
      )}
      {latest.data && shown.length === 0 && isFiltered && !isGrid && (
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
      {isGrid && sessions.length > 0 && <AgentGrid sessions={shown} />}
      {!isGrid && shown.length > 0 && <AgentTable sessions={shown} />}
    </Page>
  );
}
