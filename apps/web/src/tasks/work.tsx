import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderGit2 } from "lucide-react";
import { queries } from "../app/api";
import { useOrganization } from "../app/useOrganization";
import { Copy } from "../ui/copy";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";

/** The branch of a task, and the workspaces that have it checked out. */
export function Work({ task }: { task: Task }) {
  return (
    <section aria-labelledby="work" className="flex flex-col gap-2 border-line border-t pt-4">
      <h2 id="work" className="font-medium text-muted text-sm">
        Work
      </h2>
      {task.branch === null ? (
        <p className="text-muted">
          No branch yet. Give the task one, and the workspaces on that branch appear here.
        </p>
      ) : (
        <>
          <p className="flex items-center gap-1">
            <bdi className="wrap-anywhere rounded bg-hover px-1.5 py-0.5 font-mono text-sm">
              {task.branch}
            </bdi>
            <Copy text={task.branch} label="Copy the branch" />
          </p>
          <Workspaces branch={task.branch} projectId={task.projectId} />
        </>
      )}
    </section>
  );
}

function Workspaces({ branch, projectId }: { branch: string; projectId: string | null }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(
    queries.workspace.list.queryOptions({ organizationId, ...(projectId !== null && { projectId }) }),
  );
  const devices = useQuery(queries.device.list.queryOptions({ organizationId })).data ?? [];
  const own = list.data?.filter(({ config }) => config.branchName === branch);
  return (
    <>
      {list.error && (
        <Problem
          title="The workspaces cannot be shown."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {own?.length === 0 && (
        <p className="text-muted">
          No workspace has this branch checked out.{" "}
          <Link
            to="/o/$organization/workspaces/new"
            params={{ organization }}
            search={projectId === null ? {} : { project: projectId }}
            className="text-accent underline underline-offset-2"
          >
            Make one
          </Link>
        </p>
      )}
      {own && own.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {own.map((workspace) => (
            <li key={workspace.id} className="flex items-center gap-3 px-3 py-2.5">
              <FolderGit2 aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <Link
                to="/o/$organization/workspaces/$workspaceId"
                params={{ organization, workspaceId: workspace.id }}
                className="min-w-0 flex-1 truncate font-medium underline-offset-3 hover:underline"
              >
                <bdi>{workspace.name}</bdi>
              </Link>
              <span className="truncate text-muted text-sm">
                <bdi>{devices.find(({ id }) => id === workspace.deviceId)?.name ?? "No device"}</bdi>
                {" · "}
                <Time at={workspace.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
