import { MERGE_WAIT_HOURS, type MergeMethod, type PullStatus, shortCommit } from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import { Select } from "../../ui/select";
import { showToast } from "../../ui/showToast";
import { VisibleName } from "../../ui/visibleName";
import { waitsForChecks } from "./pullText";
import { refetchPull } from "./refetchPull";

const titles: Record<MergeMethod, string> = {
  merge: "Merge commit",
  squash: "Squash into one commit",
  rebase: "Rebase",
  queue: "Merge queue",
};

interface MergePullDialogProps {
  of: { organizationId: string; changeId: string };
  pull: PullStatus;
  onClose: () => void;
}

/** Shows the approved commit and its base, and merges the commit into the base at the code host. */
export function MergePullDialog({ of, pull, onClose }: MergePullDialogProps) {
  const [method, setMethod] = useState<MergeMethod>(pull.methods[0] ?? "merge");
  // The commit that the user has seen, even if a newer one arrives in the meantime.
  const [{ head, base, number }] = useState(pull);
  const byQueue = method === "queue";
  const when = waitsForChecks(pull) ? "green" : "now";
  const merge = useMutationWithRefetch(
    queries.workspace.change.merge.mutationOptions({ onError: refetchPull }),
    {
      refetch: [queries.workspace.change.pullStatus.pathFilter(), queries.workspace.change.list.pathFilter()],
      onDone: (after) => {
        showToast({ title: outcomeText(after) });
        onClose();
      },
    },
  );
  return (
    <Confirmation
      title={byQueue ? `Add #${number} to the merge queue?` : `Merge #${number}?`}
      action={`${byQueue ? "Add to the queue" : "Merge"}${when === "green" ? " when the checks pass" : ""}`}
      look="primary"
      change={merge}
      failed="Could not merge the pull request."
      onSubmit={() => merge.mutate({ ...of, head, method, when })}
      onClose={onClose}
    >
      <p>
        Commit <code className="font-mono">{shortCommit(head)}</code> is{" "}
        {byQueue ? "added to the merge queue of" : "merged into"}{" "}
        <VisibleName className="font-mono">{base}</VisibleName> at the code host
        {when === "green" && ` once its checks have passed, within ${MERGE_WAIT_HOURS} hours`}. If the branch
        has a newer commit by then, nothing is merged.
      </p>
      {!byQueue && (
        <Select
          label="Method"
          value={method}
          onChange={(value) => setMethod(value as MergeMethod)}
          options={pull.methods.map((value) => ({ value, title: titles[value] }))}
        />
      )}
    </Confirmation>
  );
}

/** Says whether the pull request was merged, or when it will be. */
function outcomeText({ state, number, base, mergeIntent }: PullStatus): string {
  if (state === "merged") return `Merged #${number} into ${base}.`;
  return mergeIntent?.status === "queued"
    ? `Added #${number} to the merge queue of ${base}.`
    : `Grove merges #${number} when its checks pass.`;
}
