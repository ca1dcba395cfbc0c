import { errorData } from "@grove/client";
import { blockText, type Change, type PullStatus, shortCommit } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pullStates } from "../../components/pullStates";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { connectionsQuery } from "../../lib/queries/connectionsQuery";
import { WORKSPACE_POLL_MS } from "../../lib/queries/pollIntervals";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { safeHref } from "../../ui/safeHref";
import { StateLabel } from "../../ui/stateLabel";
import { VanishingButton } from "../../ui/vanishingButton";
import { VisibleName } from "../../ui/visibleName";
import { AgentChoice } from "../creation/agentChoice";
import { useAskAgent } from "../view/useAskAgent";
import { CheckList } from "./checkList";
import { checksRoundText } from "./checksRoundText";
import { MarkReadyButton } from "./markReadyButton";
import { MergePullDialog } from "./mergePullDialog";
import { MergeWait } from "./mergeWait";
import { OpenPullDialog } from "./openPullDialog";
import { checksText, mergeObstacle, mergesByQueue } from "./pullText";
import { refetchPull } from "./refetchPull";

interface PullPanelProps {
  organizationId: string;
  workspaceId: string;
  onOpenSession: (sessionId: string) => void;
}

/** The pull request of a workspace's branch: its checks, what blocks it, its approval and its merge. */
export function PullPanel({ organizationId, workspaceId, onOpenSession }: PullPanelProps) {
  const { askAgent, label, choice } = useAskAgent(organizationId, workspaceId, onOpenSession);
  const connections = useQuery(connectionsQuery(organizationId));
  const hasCodeHost = connections.data?.some(({ kind }) => kind === "codehost") ?? false;
  const changes = useQuery(
    queries.workspace.change.list.queryOptions(
      { organizationId, workspaceId, limit: 1 },
      { enabled: hasCodeHost },
    ),
  );
  // Others may have read the same list.
  const change = hasCodeHost ? changes.data?.[0] : undefined;
  if (!change) return null;
  return (
    <>
      <PullOfChange change={change} askLabel={label} onAsk={askAgent} />
      <AgentChoice choice={choice} />
    </>
  );
}

interface PullOfChangeProps {
  change: Change;
  askLabel: string;
  /** Called with a text to ask an agent about. */
  onAsk: (text: string) => void;
}

function PullOfChange({ change, askLabel, onAsk }: PullOfChangeProps) {
  const of = { organizationId: change.organizationId, changeId: change.id };
  const { data, error } = useQuery(
    queries.workspace.change.pullStatus.queryOptions(of, {
      refetchInterval: ({ state }) => (isElsewhere(state.error) ? false : WORKSPACE_POLL_MS),
      retry: false,
    }),
  );
  const [isOpening, setOpening] = useState(false);
  const open = () => setOpening(true);
  useShortcuts({
    title: "Pull request",
    scope: "page",
    shortcuts: [],
    actions: data === null ? [{ title: "Open a pull request", run: open }] : [],
  });
  if (isElsewhere(error)) return null;
  return (
    <section
      aria-label="Pull request"
      className="flex flex-col gap-2 border-line border-b px-4 py-2 text-sm sm:px-6"
    >
      {error && <Problem title="Could not load the pull request." error={error} />}
      {data === null && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="mr-auto">No pull request</p>
          <VanishingButton onClick={open}>Open a pull request</VanishingButton>
        </div>
      )}
      {data && <Pull of={of} pull={data} askLabel={askLabel} onAsk={onAsk} onOpenAnother={open} />}
      {isOpening && <OpenPullDialog change={change} onClose={() => setOpening(false)} />}
    </section>
  );
}

/** Whether the organization is connected to no code host of the project. */
const isElsewhere = (error: Parameters<typeof errorData>[0]) => errorData(error)?.reason === "no_connection";

const hasFailed = (checks: PullStatus["checks"]) => checks.some(({ state }) => state === "failed");

interface PullProps extends Pick<PullOfChangeProps, "askLabel" | "onAsk"> {
  of: { organizationId: string; changeId: string };
  pull: PullStatus;
  /** Called to open a pull request for commits after this one has ended. */
  onOpenAnother: () => void;
}

function Pull({ of, pull, askLabel, onAsk, onOpenAnother }: PullProps) {
  const [isMerging, setMerging] = useState(false);
  const { state, base, head, checks, approvals, number, url, title } = pull;
  // The merge that waits already says so.
  const blocks = pull.blocks.filter(({ code }) => code !== "queued" || pull.mergeIntent?.status !== "queued");
  const isOpen = state === "open" || state === "draft";
  const href = url === null ? undefined : safeHref(url);
  const round = isOpen && hasFailed(checks) ? checksRoundText(pull) : undefined;
  const canMerge = isOpen && !isActive(pull.mergeIntent);
  const obstacle = mergeObstacle(pull);
  const startMerge = () => setMerging(true);
  useShortcuts({
    title: "Pull request",
    scope: "page",
    shortcuts: [],
    actions: canMerge && obstacle === undefined ? [{ title: "Merge the pull request", run: startMerge }] : [],
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateLabel state={pullStates[state]} />
        <span className="wrap-anywhere mr-auto min-w-0">
          {href === undefined ? (
            `#${number}`
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
          )}{" "}
          <VisibleName>{title}</VisibleName> into <VisibleName className="font-mono">{base}</VisibleName>
        </span>
        {!isOpen && <Button onClick={onOpenAnother}>Open another</Button>}
        {state === "draft" && <MarkReadyButton of={of} />}
        {isOpen && <ApproveButton of={of} head={head} isApproved={approvals.length > 0} />}
        {canMerge && (
          <VanishingButton look="primary" reason={obstacle} onClick={startMerge}>
            {mergesByQueue(pull) ? "Add to the merge queue" : "Merge"}
          </VanishingButton>
        )}
      </div>
      <p role="status" className="text-muted">
        {checksText(checks)}
        {approvals.length > 0 && ` · ${shortCommit(head)} approved by ${approvals[0]?.name}`}
      </p>
      {isOpen && pull.mergeIntent && <MergeWait of={of} intent={pull.mergeIntent} />}
      {round !== undefined && <p role="status">{round}</p>}
      {isOpen && blocks.length > 0 && (
        <ul aria-label="Blocks" className="list-disc pl-5">
          {blocks.map((block) => (
            <li key={`${block.code} ${block.detail}`} className="wrap-anywhere">
              {blockText(block)}
            </li>
          ))}
        </ul>
      )}
      {checks.length > 0 && <CheckList of={of} pull={pull} askLabel={askLabel} onAsk={onAsk} />}
      {isMerging && <MergePullDialog of={of} pull={pull} onClose={() => setMerging(false)} />}
    </>
  );
}

/** Whether a requested merge has not ended yet. */
const isActive = (intent: PullStatus["mergeIntent"]): boolean =>
  intent !== null && intent.status !== "done" && intent.status !== "ended";

/** Approves the commit that it names. */
function ApproveButton({
  of,
  head,
  isApproved,
}: Pick<PullProps, "of"> & { head: string; isApproved: boolean }) {
  const approve = useMutationWithRefetch(
    queries.workspace.change.approve.mutationOptions({ onError: refetchPull }),
    { refetch: [queries.workspace.change.pullStatus.pathFilter()] },
  );
  const title = `Approve ${shortCommit(head)}`;
  const run = () => {
    if (!approve.isPending) approve.mutate({ ...of, head });
  };
  useShortcuts({
    title: "Pull request",
    scope: "page",
    shortcuts: [],
    actions: isApproved ? [] : [{ title, run }],
  });
  return (
    <>
      {!isApproved && (
        <VanishingButton busy={approve.isPending} onClick={run}>
          {title}
        </VanishingButton>
      )}
      {approve.error && <Problem title="Could not approve the commit." error={approve.error} />}
    </>
  );
}
