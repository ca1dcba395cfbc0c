import type { Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { NO_VALUE } from "../ui/noValue";
import { Cell, LimitedWidth, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { LoadedList } from "./loadedList";

interface WorkspaceTableProps {
  filter: { deviceId: string } | { projectId: string };
  /** The title of the column that shows what the filter does not fix: the project or the device. */
  column: string;
  renderCell: (workspace: Workspace) => ReactNode;
  empty: ReactNode;
}

/** The workspaces of a device or of a project, newest first. */
export function WorkspaceTable({ filter, column, renderCell, empty }: WorkspaceTableProps) {
  const { id: organizationId } = useOrganization();
  const list = useQuery(queries.workspace.list.queryOptions({ organizationId, ...filter }));
  return (
    <LoadedList list={list} failed="Could not load the workspaces." empty={empty}>
      {(workspaces) => (
        <Table label="Workspaces" columns={["Name", "Branch", column, "Updated"]}>
          {workspaces.map((workspace) => (
            <Row key={workspace.id}>
              <WorkspaceNameCell id={workspace.id} name={workspace.name} />
              <BranchCell branch={workspace.config.branchName} />
              <Cell quiet>{renderCell(workspace)}</Cell>
              <Cell quiet>
                <Time at={workspace.updatedAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </LoadedList>
  );
}

export function WorkspaceNameCell({ id, name }: { id: string; name: string }) {
  const { slug: organization } = useOrganization();
  return (
    <Cell>
      <LimitedWidth>
        <Link
          to="/o/$organization/workspaces/$workspaceId"
          params={{ organization, workspaceId: id }}
          className="wrap-anywhere font-medium hover:underline"
        >
          <VisibleName>{name}</VisibleName>
        </Link>
      </LimitedWidth>
    </Cell>
  );
}

export const BranchCell = ({ branch }: { branch: unknown }) => (
  <Cell quiet>
    <LimitedWidth>
      <VisibleName className="wrap-anywhere font-mono text-sm">
        {typeof branch === "string" ? branch : NO_VALUE}
      </VisibleName>
    </LimitedWidth>
  </Cell>
);
