import { useQuery } from "@tanstack/react-query";
import { FolderGit2 } from "lucide-react";
import { queries } from "../app/api";
import { useOrganization } from "../app/useOrganization";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";

/** The workspaces on a device. */
export function WorkspacesTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId } = useOrganization();
  const list = useQuery(queries.workspace.list.queryOptions({ organizationId, deviceId }));
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const projectOf = (id: string) => projects.data?.find((project) => project.id === id)?.name ?? "";
  if (list.error && !list.data) return <Problem title="The workspaces cannot be shown." error={list.error} />;
  if (list.data?.length === 0)
    return (
      <Empty icon={FolderGit2} title="No workspace">
        A workspace is a git worktree on this machine, with a branch of its own. An agent makes one by the
        tool create_workspace.
      </Empty>
    );
  return (
    <Table label="Workspaces" columns={["Name", "Branch", "Project", "Changed"]}>
      {list.data?.map(({ id, name, config, projectId, updatedAt }) => (
        <Row key={id}>
          <Cell>
            <bdi className="font-medium">{name}</bdi>
          </Cell>
          <Cell quiet>
            <bdi className="font-mono text-sm">
              {typeof config.branchName === "string" ? config.branchName : "–"}
            </bdi>
          </Cell>
          <Cell quiet>
            <bdi>{projectOf(projectId)}</bdi>
          </Cell>
          <Cell quiet>
            <Time at={updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
