import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderGit2 } from "lucide-react";
import { WorkspaceTable } from "../components/workspaceTable";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { LimitedWidth } from "../ui/table";
import { VisibleName } from "../ui/visibleName";

export function DeviceWorkspacesTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const projectOf = (id: string) => projects.data?.find((project) => project.id === id)?.name ?? "";
  return (
    <WorkspaceTable
      filter={{ deviceId }}
      column="Project"
      renderCell={({ projectId }) => (
        <LimitedWidth>
          <VisibleName>{projectOf(projectId)}</VisibleName>
        </LimitedWidth>
      )}
      empty={
        <EmptyState
          icon={FolderGit2}
          title="No workspaces yet"
          action={
            <Link
              to="/o/$organization/workspaces/new"
              params={{ organization }}
              search={{ device: deviceId }}
              className={buttonClass()}
            >
              Create a workspace
            </Link>
          }
        >
          A workspace is a branch of a project, checked out in its own directory on this machine.
        </EmptyState>
      }
    />
  );
}
