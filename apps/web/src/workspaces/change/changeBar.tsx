import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { changeStates } from "../../components/changeStates";
import { queries } from "../../lib/api";
import { WORKSPACE_POLL_MS } from "../../lib/queries/pollIntervals";
import { HoldKeys } from "../../shortcuts/holdKeys";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { StateLabel } from "../../ui/stateLabel";
import { AgentChoice } from "../creation/agentChoice";
import { heldTexts } from "../pull/checksRoundText";
import { useAskAgent } from "../view/useAskAgent";
import { baseLabel, changeSummary, obstacles } from "./changeSummary";
import { CommitDialog } from "./commitDialog";
import { GateProgress, GateResult } from "./gateResult";
import { MergeDialog } from "./mergeDialog";
import { ReplaceDialog } from "./replaceDialog";
import { UpdateDialog } from "./updateDialog";
import type { ChangeTarget } from "./useChange";
import { usePush } from "./usePush";
import { useRunGate } from "./useRunGate";

interface ChangeBarProps extends ChangeTarget {
  onOpenSession: (sessionId: string) => void;
}

/** How far the work of a workspace has come, and the actions that bring it to its remote and base. */
export function ChangeBar({ onOpenSession, ...props }: ChangeBarProps) {
  const { organizationId } = props.target;
  const { workspaceId } = props;
  const { data: status, error } = useQuery(
    queries.workspace.change.status.queryOptions(
      { organizationId, workspaceId },
      { refetchInterval: WORKSPACE_POLL_MS, retry: false },
    ),
  );
  const [dialog, setDialog] = useState<"commit" | "replace" | "update" | "merge">();
  const { askAgent, label, choice } = useAskAgent(organizationId, workspaceId, onOpenSession);
  const push = usePush(props);
  const gate = useRunGate(props);
  const reasons = status && obstacles(status);
  const base = baseLabel(status?.base ?? "the base");
  const startPush = () => status?.head && push.start(status.head);
  useShortcuts({
    title: "Changes",
    scope: "page",
    shortcuts: [],
    actions: reasons
      ? [
          { title: "Run the check script", run: gate.start },
          ...(reasons.commit ? [] : [{ title: "Commit", run: () => setDialog("commit") }]),
          ...(reasons.push ? [] : [{ title: "Push", run: startPush }]),
          ...(reasons.update ? [] : [{ title: `Update from ${base}`, run: () => setDialog("update") }]),
          ...(reasons.merge ? [] : [{ title: "Merge here", run: () => setDialog("merge") }]),
        ]
      : [],
  });
  if (!status || !reasons)
    return error ? <Problem title="Could not load the branch's state." error={error} /> : null;
  const close = () => setDialog(undefined);
  return (
    <section
      aria-label="Branch"
      className="flex flex-col gap-2 border-line border-b px-4 py-2 text-sm sm:px-6"
    >
      <div className="flex flex-wrap items-center gap-2">
        <WorkStateLabel organizationId={organizationId} workspaceId={workspaceId} />
        <p role="status" className="wrap-anywhere mr-auto">
          {changeSummary(status)}
        </p>
        <Button busy={gate.isPending} onClick={gate.start}>
          Run the check script
        </Button>
        <Button reason={reasons.commit} onClick={() => setDialog("commit")}>
          Commit
        </Button>
        <Button reason={reasons.push} busy={push.isPending} onClick={startPush}>
          Push
        </Button>
        <Button reason={reasons.update} onClick={() => setDialog("update")}>
          Update from {base}
        </Button>
        <Button reason={reasons.merge} onClick={() => setDialog("merge")}>
          Merge here
        </Button>
      </div>
      {gate.isPending && <GateProgress line={gate.line} />}
      {gate.error && <Problem title="Could not run the check script." error={gate.error} />}
      {gate.result && <GateResult run={gate.result} askLabel={label} onAsk={askAgent} />}
      {push.error && (
        <Problem title="Could not push." error={push.error}>
          {push.isDiverged && status.remoteHead !== null && (
            <Button onClick={() => setDialog("replace")}>Replace the pushed commits</Button>
          )}
        </Problem>
      )}
      <Suspense fallback={<HoldKeys />}>
        {dialog === "commit" && <CommitDialog {...props} status={status} onClose={close} />}
        {dialog === "replace" && <ReplaceDialog {...props} status={status} onClose={close} />}
        {dialog === "update" && (
          <UpdateDialog {...props} status={status} askLabel={label} onAsk={askAgent} onClose={close} />
        )}
        {dialog === "merge" && <MergeDialog {...props} status={status} onClose={close} />}
      </Suspense>
      <AgentChoice choice={choice} />
    </section>
  );
}

/** The state of the workspace's change, and why a failed gate of finished work needs a person. */
function WorkStateLabel(of: { organizationId: string; workspaceId: string }) {
  const { data } = useQuery(queries.workspace.change.list.queryOptions({ ...of, limit: 1 }));
  const [change] = data ?? [];
  if (!change) return null;
  const { workState, gate } = change;
  return (
    <>
      <StateLabel state={changeStates[workState]} />
      {workState === "checks_failed" && gate?.heldReason && <p>{heldTexts[gate.heldReason]}</p>}
    </>
  );
}
