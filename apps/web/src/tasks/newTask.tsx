import type { TaskPriority } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { client } from "../lib/api";
import { applyTaskChange } from "../live/applyTaskChange";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { onKeys } from "../ui/inputMethod";
import { fieldError, Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { TextArea } from "../ui/textArea";
import { showToast } from "../ui/toast";
import { isPriority, priorityOptions } from "./displayNames";
import { memberOptions, statusOptions, useMembers, useStatuses } from "./taskQueries";

interface NewTaskProps {
  /** The new task's status; "" for the organization's first. Undefined while the dialog is closed. */
  status: string | undefined;
  onClose: () => void;
}

export const NewTask = ({ status, onClose }: NewTaskProps) => (
  <Dialog
    title="New task"
    open={status !== undefined}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    keepOpen
  >
    <NewTaskForm status={status ?? ""} onClose={onClose} />
  </Dialog>
);

const none: TaskPriority = "none";

interface NewTaskFields {
  title: string;
  description?: string;
  status?: string;
  priority: TaskPriority;
  assigneeId?: string;
}

function NewTaskForm({ status, onClose }: { status: string; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const statuses = useStatuses();
  const members = useMembers();
  const first = status || (statuses[0]?.key ?? "");
  const [chosen, setChosen] = useState({ status: first, priority: none, assigneeId: "" });
  const create = useMutation({
    mutationFn: (fields: NewTaskFields) => client.task.create.mutate({ organizationId, ...fields }),
    onSuccess: (task) => {
      applyTaskChange(organizationId, { type: "created", task });
      showToast({ title: `Created “${task.title}”` });
      onClose();
    },
  });
  function submit(data: FormData): void {
    const text = (name: string) => `${data.get(name) ?? ""}`.trim();
    const { status, priority, assigneeId } = chosen;
    create.mutate({
      title: text("title"),
      priority,
      ...(text("description") !== "" && { description: text("description") }),
      ...(status !== "" && { status }),
      ...(assigneeId !== "" && { assigneeId }),
    });
  }
  const titleError = fieldError(create.error, "title");
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      {create.error && titleError === undefined && (
        <Problem title="Could not create the task." error={create.error} />
      )}
      <Field label="Title" name="title" required maxLength={500} autoComplete="off" error={titleError} />
      <TextArea
        label="Description"
        name="description"
        rows={5}
        maxLength={50_000}
        placeholder="Markdown. Agents read it as well."
        onKeyDown={onKeys((event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        })}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <Select
          label="Status"
          value={chosen.status}
          onChange={(value) => setChosen({ ...chosen, status: value })}
          options={statusOptions(statuses)}
        />
        <Select
          label="Priority"
          value={chosen.priority}
          onChange={(value) => isPriority(value) && setChosen({ ...chosen, priority: value })}
          options={priorityOptions}
        />
        <Select
          label="Assignee"
          value={chosen.assigneeId}
          onChange={(value) => setChosen({ ...chosen, assigneeId: value })}
          options={[{ value: "", title: "Unassigned" }, ...memberOptions(members)]}
        />
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={create.isPending}>
          Make the task
        </Button>
      </DialogButtons>
    </form>
  );
}
