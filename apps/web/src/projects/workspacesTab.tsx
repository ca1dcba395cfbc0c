import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Layers, Plus } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { BranchCell, WorkspaceNameCell } from "../components/workspaceCells";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";

/** The project's workspaces, newest first. */
export function WorkspacesTab({ projectId }: { projectId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(queries.workspace.list.queryOptions({ organizationId, projectId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  if (list.error && !list.data)
    return (
      <Problem
        title="Could not load the workspaces."
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    );
  if (list.data?.length === 0)
    return (
      <Empty
        icon={Layers}
        title="No workspace yet"
        action={
          <Link
            to="/o/$organization/workspaces/new"
            params={{ organization }}
            search={{ project: projectId }}
            className={buttonClass("primary")}
          >
            <Plus aria-hidden="true" className="size-4" />
            Make a workspace
          </Link>
        }
      >
        A workspace is a branch of the project in a directory of its own on a machine.
      </Empty>
    );
  if (!list.data) return <Skeleton />;
  return (
    <Table label="Workspaces" columns={["Name", "Branch", "Device", "Changed"]}>
      {list.data.map(({ id, name, config, deviceId, updatedAt }) => (
        <Row key={id}>
          <WorkspaceNameCell id={id} name={name} />
          <BranchCell branch={config.branchName} />
          <Cell quiet>
            {devices.isPending ? (
              "…"
            ) : (
              <DeviceName device={devices.data?.find((device) => device.id === deviceId)} />
            )}
          </Cell>
          <Cell quiet>
            <Time at={updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
