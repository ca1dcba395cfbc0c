import { type ChangeStatus, shortCommit } from "@grove/schemas";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import { pluralize } from "../../ui/pluralize";
import { showToast } from "../../ui/showToast";
import { VisibleName } from "../../ui/visibleName";
import { type ChangeTarget, useChange } from "./useChange";

interface MergeDialogProps extends ChangeTarget {
  status: ChangeStatus;
  onClose: () => void;
}

/** Names the commit and the base branch, then merges the one into the other on the machine. */
export function MergeDialog({ status, onClose, ...props }: MergeDialogProps) {
  const { common, refetch, onError } = useChange(props);
  const merge = useMutationWithRefetch(queries.workspace.change.mergeHere.mutationOptions({ onError }), {
    refetch,
    onDone: ({ base, commit }) => {
      showToast({ title: `Merged into ${base}.`, description: `${base} is at ${shortCommit(commit)}.` });
      onClose();
    },
  });
  const { head, base, baseCommit, ahead } = status;
  return (
    <Confirmation
      title="Merge here?"
      action="Merge"
      look="primary"
      change={merge}
      failed="Could not merge."
      onSubmit={() => merge.mutate({ ...common, head: head ?? "", expectBase: baseCommit ?? "" })}
      onClose={onClose}
    >
      <p>
        Commit <code className="font-mono">{head && shortCommit(head)}</code> of{" "}
        <VisibleName className="font-mono">{status.branch ?? ""}</VisibleName>, with{" "}
        {pluralize(ahead ?? 0, "commit")}, is merged into{" "}
        <VisibleName className="font-mono">{base}</VisibleName> at{" "}
        <code className="font-mono">{baseCommit && shortCommit(baseCommit)}</code> on the machine. Nothing is
        pushed.
      </p>
      <p>
        If a worktree has the base checked out, its files are updated too. That worktree must have no
        uncommitted changes.
      </p>
    </Confirmation>
  );
}
