import type { Change } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Checkbox } from "../../ui/checkbox";
import { Field } from "../../ui/field";
import { FormDialog } from "../../ui/formDialog";
import { showToast } from "../../ui/showToast";
import { TextArea } from "../../ui/textArea";

interface OpenPullDialogProps {
  change: Change;
  onClose: () => void;
}

/** Asks for the title and the description of a pull request, and opens it at the code host. */
export function OpenPullDialog({ change, onClose }: OpenPullDialogProps) {
  const { id: changeId, organizationId, taskId, branch } = change;
  const task = useQuery({
    ...queries.task.get.queryOptions({ organizationId, id: taskId ?? "" }),
    enabled: taskId !== null,
  });
  const [typed, setTyped] = useState<string>();
  const title = typed ?? task.data?.title ?? (taskId === null ? branch : "");
  const open = useMutationWithRefetch(queries.workspace.change.openPull.mutationOptions(), {
    refetch: [queries.workspace.change.pullStatus.pathFilter(), queries.workspace.change.list.pathFilter()],
    onDone: ({ number }) => {
      showToast({ title: `Opened pull request #${number}.` });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Open a pull request"
      action="Open"
      reason={title.trim() === "" ? "Write a title first." : undefined}
      change={open}
      failed="Could not open the pull request."
      fields={["title", "body"]}
      onSubmit={(text) =>
        open.mutate({
          organizationId,
          changeId,
          title,
          body: text("body"),
          draft: text("draft") === "on",
        })
      }
      onClose={onClose}
    >
      <Field
        label="Title"
        name="title"
        required
        maxLength={255}
        value={title}
        onChange={({ target }) => setTyped(target.value)}
      />
      <TextArea label="Description" name="body" rows={6} />
      <Checkbox name="draft" label="Draft">
        A draft cannot be merged before it is marked as ready.
      </Checkbox>
    </FormDialog>
  );
}
