import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Layers, Plus } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { WorkspaceTable } from "../components/workspaceTable";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";

export function ProjectWorkspacesTab({ projectId }: { projectId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  return (
    <WorkspaceTable
      filter={{ projectId }}
      column="Device"
      renderCell={({ deviceId }) =>
        devices.isPending ? (
          "…"
        ) : (
          <DeviceName device={devices.data?.find((device) => device.id === deviceId)} />
        )
      }
      empty={
        <EmptyState
          icon={Layers}
          title="No workspaces yet"
          action={
            <Link
              to="/o/$organization/workspaces/new"
              params={{ organization }}
              search={{ project: projectId }}
              className={buttonClass("primary")}
            >
              <Plus aria-hidden="true" className="size-4" />
              Create a workspace
            </Link>
          }
        >
          A workspace is a branch of the project, checked out in its own directory on a machine.
        </EmptyState>
      }
    />
  );
}
