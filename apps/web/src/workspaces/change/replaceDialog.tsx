import { type ChangeStatus, shortCommit } from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import { showToast } from "../../ui/showToast";
import { VisibleName } from "../../ui/visibleName";
import { type ChangeTarget, useChange } from "./useChange";

interface ReplaceDialogProps extends ChangeTarget {
  status: ChangeStatus;
  onClose: () => void;
}

/** Replaces the commits that Grove pushed before, as after a rebase. Other people's commits are never replaced. */
export function ReplaceDialog({ status, onClose, ...props }: ReplaceDialogProps) {
  const { common, refetch, onError } = useChange(props);
  // The commits that the user has seen, even if there are newer ones in the meantime.
  const [{ branch, remote, head, remoteHead }] = useState(status);
  const push = useMutationWithRefetch(queries.workspace.change.push.mutationOptions({ onError }), {
    refetch,
    onDone: () => {
      showToast({ title: `Replaced ${branch} at ${remote}.` });
      onClose();
    },
  });
  return (
    <Confirmation
      title="Replace the pushed commits?"
      action="Replace"
      change={push}
      failed="Could not replace them."
      onSubmit={() =>
        push.mutate({
          ...common,
          expectHead: head ?? "",
          force: "lease",
          ...(remoteHead !== null && { expectRemote: remoteHead }),
        })
      }
      onClose={onClose}
    >
      <p>
        <VisibleName className="font-mono">{branch ?? ""}</VisibleName> at{" "}
        <VisibleName className="font-mono">{remote ?? ""}</VisibleName> moves from{" "}
        <code className="font-mono">{remoteHead && shortCommit(remoteHead)}</code> to{" "}
        <code className="font-mono">{head && shortCommit(head)}</code>. If anyone else has pushed to it,
        nothing is replaced.
      </p>
    </Confirmation>
  );
}
