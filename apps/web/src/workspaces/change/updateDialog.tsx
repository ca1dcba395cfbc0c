import { type ChangeStatus, shortCommit } from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries, queryClient } from "../../lib/api";
import { Button } from "../../ui/button";
import { Dialog, DialogButtons } from "../../ui/dialog";
import { pluralize } from "../../ui/pluralize";
import { Problem } from "../../ui/problem";
import { Select } from "../../ui/select";
import { showToast } from "../../ui/showToast";
import { VisibleName } from "../../ui/visibleName";
import { baseLabel } from "./changeSummary";
import { type ChangeTarget, useChange } from "./useChange";

interface UpdateDialogProps extends ChangeTarget {
  status: ChangeStatus;
  /** The label of the button that takes the conflicts to an agent. */
  askLabel: string;
  onAsk: (prompt: string) => void;
  onClose: () => void;
}

type How = "merge" | "rebase";

/** Merges the base into the branch, or rebases the branch. With conflicts, lists the files, for an agent to resolve. */
export function UpdateDialog({ status, askLabel, onAsk, onClose, ...props }: UpdateDialogProps) {
  const { common, refetch, onError } = useChange(props);
  const { base, behind, head, remoteHead, conflictsWithBase: conflicts } = status;
  const [how, setHow] = useState<How>("merge");
  const update = useMutationWithRefetch(
    queries.workspace.change.update.mutationOptions({
      onError: (error) => {
        onError(error);
        // The update has fetched the base's newest commits, which may conflict.
        void queryClient.invalidateQueries(queries.workspace.change.status.pathFilter());
      },
    }),
    {
      refetch,
      onDone: ({ head: next }) => {
        showToast({
          title: `Updated from ${baseLabel(base)}.`,
          description: `The branch is at ${shortCommit(next)}.`,
        });
        onClose();
      },
    },
  );
  const ask = () => {
    onAsk(
      `Merge ${base} into this branch and resolve the conflicts in these files, then commit the merge:\n${conflicts.join("\n")}\n`,
    );
    onClose();
  };
  return (
    <Dialog title={`Update from ${baseLabel(base)}`} open onOpenChange={onClose}>
      {conflicts.length > 0 ? (
        <>
          <p>
            The branch and <VisibleName className="font-mono">{baseLabel(base)}</VisibleName> conflict in{" "}
            {pluralize(conflicts.length, "file")}. Resolve them first.
          </p>
          <ul aria-label="Conflicts" className="flex max-h-60 flex-col overflow-y-auto font-mono text-sm">
            {conflicts.map((path) => (
              <li key={path}>
                <VisibleName className="wrap-anywhere">{path}</VisibleName>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            {pluralize(behind ?? 0, "new commit")} of{" "}
            <VisibleName className="font-mono">{baseLabel(base)}</VisibleName> are brought into the branch.
            Grove first saves the current files as a restore point.
          </p>
          <Select
            label="Method"
            value={how}
            onChange={(value) => setHow(value as How)}
            options={[
              { value: "merge", title: "Merge the base into the branch" },
              { value: "rebase", title: "Rebase the branch onto the base" },
            ]}
          />
          {how === "rebase" && remoteHead !== null && (
            <p>The branch is pushed. The next push has to replace the pushed commits.</p>
          )}
        </>
      )}
      {update.error && <Problem title="Could not update." error={update.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        {conflicts.length > 0 ? (
          <Button look="primary" onClick={ask}>
            {askLabel}
          </Button>
        ) : (
          <Button
            look="primary"
            busy={update.isPending}
            onClick={() => update.mutate({ ...common, how, expectHead: head ?? "" })}
          >
            Update
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
