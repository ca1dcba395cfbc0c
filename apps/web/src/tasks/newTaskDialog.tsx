import type { TaskPriority } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { useRef, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form, FormProblem, type TextOf } from "../ui/form";
import { onKeys } from "../ui/inputMethod";
import { Select } from "../ui/select";
import { TextArea } from "../ui/textArea";
import { isPriority, priorityOptions } from "./displayNames";
import { LabelsField } from "./fields/labelsField";
import { memberOptions, statusOptions, useMembers, useStatuses } from "./taskQueries";
import { useCreateTask } from "./useCreateTask";

interface NewTaskProps {
  /** The new task's status; "" for the organization's first. Undefined while the dialog is closed. */
  status: string | undefined;
  onClose: () => void;
}

export const NewTaskDialog = ({ status, onClose }: NewTaskProps) => (
  <Dialog
    title="New task"
    open={status !== undefined}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    keepOpen
  >
    <NewTaskForm status={status ?? ""} onClose={onClose} />
  </Dialog>
);

interface Choices {
  status: string;
  priority: TaskPriority;
  assigneeId: string;
  projectId: string;
  labels: string[];
}

function NewTaskForm({ status, onClose }: { status: string; onClose: () => void }) {
  const first = useStatuses()[0]?.key ?? "";
  const [chosen, setChosen] = useState<Choices>({
    status: status || first,
    priority: "none",
    assigneeId: "",
    projectId: "",
    labels: [],
  });
  const handOver = useRef(false);
  const create = useCreateTask(onClose);
  function submit(text: TextOf): void {
    const isHandedOver = handOver.current;
    handOver.current = false;
    if (create.isPending) return;
    const description = text("description").trim();
    const dueDate = text("dueDate");
    const { status, priority, assigneeId, projectId, labels } = chosen;
    create.mutate({
      isHandedOver,
      fields: {
        title: text("title").trim(),
        priority,
        labels,
        ...(description !== "" && { description }),
        ...(status !== "" && { status }),
        ...(assigneeId !== "" && { assigneeId }),
        ...(projectId !== "" && { projectId }),
        ...(dueDate !== "" && { dueDate }),
      },
    });
  }
  return (
    <Form error={create.error} fields={["title", "labels"]} onSubmit={submit}>
      <FormProblem title="Could not create the task." />
      <Field label="Title" name="title" required maxLength={500} autoComplete="off" />
      <TextArea
        label="Description"
        name="description"
        rows={5}
        maxLength={50_000}
        placeholder="Supports Markdown. Agents read it too."
        onKeyDown={onKeys((event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        })}
      />
      <TaskChoices chosen={chosen} onChoose={(choice) => setChosen({ ...chosen, ...choice })} />
      <DialogButtons>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          busy={create.isPending}
          // No submit button: Enter in a field clicks the first one.
          onClick={({ currentTarget: { form } }) => {
            if (!form?.reportValidity()) return;
            handOver.current = true;
            form.requestSubmit();
          }}
        >
          <Bot aria-hidden="true" className="size-4" />
          Create and hand over
        </Button>
        <Button look="primary" type="submit" busy={create.isPending}>
          Create task
        </Button>
      </DialogButtons>
    </Form>
  );
}

interface TaskChoicesProps {
  chosen: Choices;
  onChoose: (choice: Partial<Choices>) => void;
}

/** The fields of a new task apart from its text. */
function TaskChoices({ chosen, onChoose }: TaskChoicesProps) {
  const { id: organizationId } = useOrganization();
  const statuses = useStatuses();
  const members = useMembers();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data ?? [];
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Select
        label="Status"
        value={chosen.status}
        onChange={(value) => onChoose({ status: value })}
        options={statusOptions(statuses)}
      />
      <Select
        label="Priority"
        value={chosen.priority}
        onChange={(value) => isPriority(value) && onChoose({ priority: value })}
        options={priorityOptions}
      />
      <Select
        label="Assignee"
        value={chosen.assigneeId}
        onChange={(value) => onChoose({ assigneeId: value })}
        options={[{ value: "", title: "Unassigned" }, ...memberOptions(members)]}
      />
      {projects.length > 0 && (
        <Select
          label="Project"
          value={chosen.projectId}
          onChange={(value) => onChoose({ projectId: value })}
          options={[
            { value: "", title: "None" },
            ...projects.map(({ id, name }) => ({ value: id, title: name })),
          ]}
        />
      )}
      <LabelsField name="labels" labels={chosen.labels} onChange={(labels) => onChoose({ labels })} />
      <Field label="Due date" name="dueDate" type="date" />
    </div>
  );
}
