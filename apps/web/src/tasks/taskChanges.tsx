import type { Change } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { GitBranch } from "lucide-react";
import { changeStates } from "../components/changeStates";
import { pullStates } from "../components/pullStates";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { safeHref } from "../ui/safeHref";
import { StateLabel } from "../ui/stateLabel";
import { VisibleName } from "../ui/visibleName";

/** The task's branches, each with its machine and its pull request. */
export function TaskChanges({ taskId }: { taskId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const { data = [] } = useQuery(
    queries.workspace.change.list.queryOptions({ organizationId, taskId, limit: 20 }),
  );
  const devices = useQuery(queries.device.list.queryOptions({ organizationId })).data ?? [];
  if (data.length === 0) return null;
  return (
    <ul aria-label="Changes" className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {data.map((change) => (
        <li key={change.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2.5">
          <GitBranch aria-hidden="true" className="size-4 shrink-0 text-muted" />
          <VisibleName className="wrap-anywhere min-w-0 flex-1 basis-48 font-mono text-sm">
            {change.branch}
          </VisibleName>
          <span className="truncate text-muted text-sm">
            <VisibleName>{devices.find(({ id }) => id === change.deviceId)?.name ?? "No device"}</VisibleName>
          </span>
          <span className="text-sm">
            <StateLabel state={changeStates[change.workState]} />
          </span>
          {change.pullRequest === null && change.workspaceId !== null ? (
            <Link
              to="/o/$organization/workspaces/$workspaceId"
              params={{ organization, workspaceId: change.workspaceId }}
              search={{ only: "changes" }}
              className="text-accent text-sm underline underline-offset-2"
            >
              Open a pull request
            </Link>
          ) : (
            <PullRequest pullRequest={change.pullRequest} />
          )}
        </li>
      ))}
    </ul>
  );
}

function PullRequest({ pullRequest }: Pick<Change, "pullRequest">) {
  if (!pullRequest) return <span className="text-muted text-sm">No pull request</span>;
  const { number, url, state, base, doneAt } = pullRequest;
  const href = url === null ? undefined : safeHref(url);
  return (
    <span className="flex items-center gap-2 text-sm">
      <StateLabel state={pullStates[state]}>
        {state === "merged" && doneAt === null && (
          <>
            into <VisibleName>{base}</VisibleName>
          </>
        )}
      </StateLabel>
      {href === undefined ? (
        <span className="text-muted">#{number}</span>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="text-accent underline underline-offset-2"
        >
          #{number}
          <span className="sr-only">, the pull request, in a new tab</span>
        </a>
      )}
    </span>
  );
}
