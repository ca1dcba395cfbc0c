import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Layers, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { DeviceName } from "../components/deviceName";
import { BranchCell, WorkspaceNameCell } from "../components/workspaceTable";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { NO_VALUE } from "../ui/noValue";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { StateLabel } from "../ui/stateLabel";
import { Cell, LimitedWidth, Row, Table } from "../ui/table";
import { VisibleName } from "../ui/visibleName";
import { PendingCreations } from "./creation/pendingCreations";
import { changesOf, states } from "./stateLabels";
import { useWorkspaceRows } from "./useWorkspaceRows";
import { WorkspaceFilterBar } from "./workspaceFilterBar";
import type { WorkspaceRow } from "./workspaceRows";

const route = getRouteApi("/signed-in/o/$organization/workspaces");

/** The organization's workspaces, each with the state that its device reports. */
export function WorkspacesPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const filter = route.useSearch();
  const { records, rows } = useWorkspaceRows(filter);
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data ?? [];
  const devices = useQuery(queries.device.list.queryOptions({ organizationId })).data ?? [];
  const createLink = (
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
    <Page title="Workspaces" actions={createLink}>
      <WorkspaceFilterBar filter={filter} projects={projects} devices={devices} />
      {records.error && (
        <Problem
          title="Could not load the workspaces."
          error={records.error}
          onRetry={() => void records.refetch()}
        />
      )}
      <PendingCreations />
      {records.isPending && <Skeleton />}
      {records.data && rows.length === 0 && <NoWorkspaces isFiltered={isFiltered} createLink={createLink} />}
      {rows.length > 0 && (
        <Table label="Workspaces" columns={["Name", "State", "Branch", "Project", "Device", "Agents"]}>
          {rows.map((row) => (
            <WorkspaceLine
              key={row.id}
              row={row}
              project={projects.find(({ id }) => id === row.projectId)?.name}
            />
          ))}
        </Table>
      )}
    </Page>
  );
}

function NoWorkspaces({ isFiltered, createLink }: { isFiltered: boolean; createLink: ReactNode }) {
  const { slug: organization } = useOrganization();
  return (
    <EmptyState
      icon={Layers}
      title={isFiltered ? "No workspaces match this filter" : "No workspaces yet"}
      action={
        isFiltered ? (
          <Link to="/o/$organization/workspaces" params={{ organization }} className={buttonClass()}>
            Show all
          </Link>
        ) : (
          createLink
        )
      }
    >
      A workspace is a branch of a project, checked out in its own directory on a machine. Agents in different
      workspaces do not disturb each other.
    </EmptyState>
  );
}

function WorkspaceLine({ row, project }: { row: WorkspaceRow; project: string | undefined }) {
  const changes = row.onDevice ? changesOf(row.onDevice) : "";
  return (
    <Row>
      <WorkspaceNameCell id={row.id} name={row.name} />
      <Cell>
        <StateLabel state={states[row.state]} />
        {changes && <div className="mt-0.5 pl-5 text-muted text-xs">{changes}</div>}
      </Cell>
      <BranchCell branch={row.branch} />
      <Cell quiet>
        <LimitedWidth>
          <VisibleName className="wrap-anywhere">{project ?? NO_VALUE}</VisibleName>
        </LimitedWidth>
      </Cell>
      <Cell quiet>
        <DeviceName device={row.device} />
      </Cell>
      <Cell quiet={row.running.length === 0}>{row.running.length || NO_VALUE}</Cell>
    </Row>
  );
}
