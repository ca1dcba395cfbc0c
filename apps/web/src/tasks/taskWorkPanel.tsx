import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, FolderGit2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copyButton";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { useDelegation } from "./delegation/delegationState";
import { clearPendingHandOver, isHandOverPending } from "./delegation/pendingHandOver";
import { DelegationForm, DelegationProgress } from "./lazyDialogs";
import { TaskChanges } from "./taskChanges";
import { TaskSessions } from "./taskSessions";

/** The task's delegation, agent sessions and branch, and the workspaces with that branch checked out. */
export function TaskWorkPanel({ task }: { task: Task }) {
  const [isFormOpen, setFormOpen] = useState(() => isHandOverPending(task.id));
  // Later visits of the page do not open the form.
  useEffect(clearPendingHandOver, []);
  const state = useDelegation(task.id);
  const openForm = () => setFormOpen(true);
  useShortcuts({
    title: "Task",
    scope: "page",
    shortcuts: [{ keys: "h", title: "Hand over to an agent", run: openForm }],
  });
  return (
    <section aria-labelledby="work" className="flex flex-col gap-2 border-line border-t pt-4">
      <div className="flex items-center gap-3">
        <h2 id="work" className="flex-1 font-medium text-muted text-sm">
          Work
        </h2>
        <Button id="hand-over" onClick={openForm} title="Hand over to an agent (h)">
          <Bot aria-hidden="true" className="size-4" />
          Hand over
        </Button>
      </div>
      {state && <DelegationProgress state={state} />}
      {isFormOpen && <DelegationForm task={task} onClose={() => setFormOpen(false)} />}
      <TaskSessions taskId={task.id} />
      <TaskChanges taskId={task.id} />
      {task.branch === null ? (
        <p className="text-muted">No branch yet. Set one to list its workspaces here.</p>
      ) : (
        <>
          <p className="flex items-center gap-1">
            <VisibleName className="wrap-anywhere rounded bg-hover px-1.5 py-0.5 font-mono text-sm">
              {task.branch}
            </VisibleName>
            <CopyButton text={task.branch} label="Copy the branch" />
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
  const onBranch = list.data?.filter(({ config }) => config.branchName === branch);
  return (
    <>
      {list.error && (
        <Problem
          title="Could not load the workspaces."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {onBranch?.length === 0 && (
        <p className="text-muted">
          No workspace has this branch checked out.{" "}
          <Link
            to="/o/$organization/workspaces/new"
            params={{ organization }}
            search={projectId === null ? {} : { project: projectId }}
            className="text-accent underline underline-offset-2"
          >
            Create one
          </Link>
        </p>
      )}
      {onBranch && onBranch.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {onBranch.map((workspace) => (
            <li key={workspace.id} className="flex items-center gap-3 px-3 py-2.5">
              <FolderGit2 aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <Link
                to="/o/$organization/workspaces/$workspaceId"
                params={{ organization, workspaceId: workspace.id }}
                className="min-w-0 flex-1 truncate font-medium underline-offset-3 hover:underline"
              >
                <VisibleName>{workspace.name}</VisibleName>
              </Link>
              <span className="truncate text-muted text-sm">
                <VisibleName>
                  {devices.find(({ id }) => id === workspace.deviceId)?.name ?? "No device"}
                </VisibleName>
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
