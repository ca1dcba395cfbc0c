import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderGit2 } from "lucide-react";
import { BranchCell, WorkspaceNameCell } from "../components/workspaceCells";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Brief, Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

export function WorkspacesTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(queries.workspace.list.queryOptions({ organizationId, deviceId }));
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const projectOf = (id: string) => projects.data?.find((project) => project.id === id)?.name ?? "";
  if (list.error && !list.data)
    return (
      <Problem
        title="Could not load the workspaces."
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    );
  if (!list.data) return <Skeleton />;
  if (list.data.length === 0)
    return (
      <Empty
        icon={FolderGit2}
        title="No workspace yet"
        action={
          <Link
            to="/o/$organization/workspaces/new"
            params={{ organization }}
            search={{ device: deviceId }}
            className={buttonClass()}
          >
            Make a workspace
          </Link>
        }
      >
        A workspace is a branch of a project in a directory of its own on this machine.
      </Empty>
    );
  return (
    <Table label="Workspaces" columns={["Name", "Branch", "Project", "Changed"]}>
      {list.data.map(({ id, name, config, projectId, updatedAt }) => (
        <Row key={id}>
          <WorkspaceNameCell id={id} name={name} />
          <BranchCell branch={config.branchName} />
          <Cell quiet>
            <Brief>
              <VisibleName>{projectOf(projectId)}</VisibleName>
            </Brief>
          </Cell>
          <Cell quiet>
            <Time at={updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
