import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Layers, Plus } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { BranchCell, WorkspaceNameCell } from "../components/workspaceCells";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { toolQuery } from "../lib/deviceTools";
import { buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { NONE } from "../ui/none";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { Skeleton } from "../ui/skeleton";
import { State } from "../ui/state";
import { Brief, Cell, Row, Table } from "../ui/table";
import { VisibleName } from "../ui/visibleName";
import { useOpenCommands } from "./commands";
import { PendingCreations } from "./pendingCreations";
import { changesOf, states } from "./stateLabels";
import { rowsOf, type WorkspaceRow } from "./workspaceRows";

const route = getRouteApi("/signed-in/o/$organization/workspaces");
const DEVICE_POLL_MS = 30_000;

/** The organization's workspaces, each with the state that its device reports. */
export function WorkspacesPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const filter = route.useSearch();
  const navigate = useNavigate();
  const records = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const sessions = useQuery(queries.agent.listSessions.queryOptions({ organizationId, status: "running" }));
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const { deleting } = useOpenCommands(organizationId);
  const shown = (records.data ?? []).filter(
    ({ projectId, deviceId }) =>
      (!filter.project || projectId === filter.project) && (!filter.device || deviceId === filter.device),
  );
  const withWork = new Set(shown.map(({ deviceId }) => deviceId));
  const online = (devices.data ?? []).filter(({ id, status }) => status === "online" && withWork.has(id));
  const { onDevices, loading } = useQueries({
    queries: online.map(({ id: deviceId }) => ({
      ...toolQuery({ organizationId, deviceId }, "list_workspaces", {}),
      refetchInterval: DEVICE_POLL_MS,
    })),
    combine: (results) => ({
      onDevices: results.flatMap(({ data }) => data?.workspaces ?? []),
      loading: online.map(({ id }) => id).filter((_, at) => results[at]?.isPending),
    }),
  });
  const rows = rowsOf({
    records: shown,
    devices: devices.data ?? [],
    onDevices,
    loading,
    sessions: sessions.data ?? [],
    deleting,
  });
  const setFilter = (change: { project?: string; device?: string }) => {
    const { project, device } = { ...filter, ...change };
    return navigate({
      to: "/o/$organization/workspaces",
      params: { organization },
      search: { ...(project && { project }), ...(device && { device }) },
      replace: true,
    });
  };
  const create = (
    <Link
      to="/o/$organization/workspaces/new"
      params={{ organization }}
      search={filter}
      className={buttonClass("primary")}
    >
      <Plus aria-hidden="true" className="size-4" />
      New workspace
    </Link>
  );
  const isFiltered = filter.project !== undefined || filter.device !== undefined;
  return (
    <Page title="Workspaces" actions={create}>
      <div className="mb-3 grid max-w-md grid-cols-2 gap-2">
        <Select
          hideLabel
          label="Project"
          value={filter.project ?? ""}
          onChange={(project) => void setFilter({ project })}
          options={[
            { value: "", title: "All projects" },
            ...(projects.data ?? []).map(({ id, name }) => ({ value: id, title: name })),
          ]}
        />
        <Select
          hideLabel
          label="Device"
          value={filter.device ?? ""}
          onChange={(device) => void setFilter({ device })}
          options={[
            { value: "", title: "All devices" },
            ...(devices.data ?? []).map(({ id, name }) => ({ value: id, title: name })),
          ]}
        />
      </div>
      {records.error && (
        <Problem
          title="Could not load the current workspaces."
          error={records.error}
          onRetry={() => void records.refetch()}
        />
      )}
      <PendingCreations />
      {records.isPending && <Skeleton />}
      {records.data && rows.length === 0 && (
        <Empty
          icon={Layers}
          title={isFiltered ? "No workspace matches this filter" : "No workspace yet"}
          action={
            isFiltered ? (
              <Link to="/o/$organization/workspaces" params={{ organization }} className={buttonClass()}>
                Show all
              </Link>
            ) : (
              create
            )
          }
        >
          A workspace is a branch of a project, checked out in its own directory on a machine. Agents in
          different workspaces do not disturb each other.
        </Empty>
      )}
      {rows.length > 0 && (
        <Table label="Workspaces" columns={["Name", "State", "Branch", "Project", "Device", "Agents"]}>
          {rows.map((row) => (
            <WorkspaceLine
              key={row.id}
              row={row}
              project={projects.data?.find(({ id }) => id === row.projectId)?.name}
            />
          ))}
        </Table>
      )}
    </Page>
  );
}

function WorkspaceLine({ row, project }: { row: WorkspaceRow; project: string | undefined }) {
  const changes = row.onDevice ? changesOf(row.onDevice) : "";
  return (
    <Row>
      <WorkspaceNameCell id={row.id} name={row.name} />
      <Cell>
        <State look={states[row.state]} />
        {changes && <div className="mt-0.5 pl-5 text-muted text-xs">{changes}</div>}
      </Cell>
      <BranchCell branch={row.branch} />
      <Cell quiet>
        <Brief>
          <VisibleName className="wrap-anywhere">{project ?? NONE}</VisibleName>
        </Brief>
      </Cell>
      <Cell quiet>
        <DeviceName device={row.device} />
      </Cell>
      <Cell quiet={row.running.length === 0}>{row.running.length || NONE}</Cell>
    </Row>
  );
}
