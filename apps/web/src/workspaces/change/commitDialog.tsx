import { type ChangeStatus, shortCommit } from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { FormDialog } from "../../ui/formDialog";
import { pluralize } from "../../ui/pluralize";
import { showToast } from "../../ui/showToast";
import { TextArea } from "../../ui/textArea";
import { commitDraft } from "./commitDraft";
import { type ChangeTarget, useChange } from "./useChange";

interface CommitDialogProps extends ChangeTarget {
  status: ChangeStatus;
  onClose: () => void;
}

/** Asks for a message, and commits all files. A message that was begun is kept until the commit is made. */
export function CommitDialog({ status, onClose, ...props }: CommitDialogProps) {
  const { workspaceId } = props;
  const { common, refetch, onError } = useChange(props);
  const [message, setMessage] = useState(() => commitDraft.read(workspaceId) ?? status.suggestedMessage);
  const commit = useMutationWithRefetch(queries.workspace.change.commit.mutationOptions({ onError }), {
    refetch,
    onDone: ({ commit: made, files, skippedHooks, skipped }) => {
      commitDraft.remove(workspaceId);
      const left = skipped.length > 0 && `Not committed: ${skipped.map(({ path }) => path).join(", ")}.`;
      const hooks =
        skippedHooks.length > 0 && `Hooks that the machine does not allow: ${skippedHooks.join(", ")}.`;
      showToast({
        title: `Committed ${pluralize(files, "file")} as ${shortCommit(made)}.`,
        description: [left, hooks].filter(Boolean).join(" ") || undefined,
      });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Commit"
      action="Commit"
      reason={message.trim() === "" ? "Write a message first." : undefined}
      change={commit}
      failed="Could not commit."
      onSubmit={() => commit.mutate({ ...common, message, ...(status.tree && { expectTree: status.tree }) })}
      onClose={onClose}
    >
      <p className="text-muted">
        {pluralize(status.uncommittedFiles, "file")} on {status.branch}. Files that git ignores are left out.
      </p>
      <TextArea
        label="Message"
        name="message"
        rows={5}
        required
        value={message}
        onChange={({ target: { value } }) => {
          setMessage(value);
          commitDraft.keep(workspaceId, value);
        }}
      />
    </FormDialog>
  );
}
