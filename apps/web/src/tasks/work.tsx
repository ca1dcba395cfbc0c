import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, FolderGit2 } from "lucide-react";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button } from "../ui/button";
import { Copy } from "../ui/copy";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { useHandOver } from "./handOver";
import { HandOverForm, HandOverProgress } from "./whenUsed";
import { WorkAgents } from "./workAgents";

/** The work on a task: its handing over, its agents, its branch, and the workspaces that have it checked out. */
export function Work({ task }: { task: Task }) {
  const [isAsked, setAsked] = useState(false);
  const state = useHandOver(task.id);
  const ask = () => setAsked(true);
  useShortcuts({
    title: "Task",
    scope: "page",
    shortcuts: [{ keys: "h", title: "Hand over to an agent", run: ask }],
  });
  return (
    <section aria-labelledby="work" className="flex flex-col gap-2 border-line border-t pt-4">
      <div className="flex items-center gap-3">
        <h2 id="work" className="flex-1 font-medium text-muted text-sm">
          Work
        </h2>
        <Button id="hand-over" onClick={ask} title="Hand over to an agent (h)">
          <Bot aria-hidden="true" className="size-4" />
          Hand over
        </Button>
      </div>
      {state && <HandOverProgress state={state} />}
      {isAsked && <HandOverForm task={task} onClose={() => setAsked(false)} />}
      <WorkAgents taskId={task.id} />
      {task.branch === null ? (
        <p className="text-muted">
          No branch yet. Give the task one, and the workspaces on that branch appear here.
        </p>
      ) : (
        <>
          <p className="flex items-center gap-1">
            <VisibleName className="wrap-anywhere rounded bg-hover px-1.5 py-0.5 font-mono text-sm">
              {task.branch}
            </VisibleName>
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
