import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { safeHref } from "../../ui/safeHref";
import { Select } from "../../ui/select";
import { Time } from "../../ui/time";
import { isPriority, priorityOptions } from "../displayNames";
import { LabelsField } from "../lazyDialogs";
import type { TaskFields } from "../optimisticTask";
import { memberName, memberOptions, statusOptions, useMembers, useStatuses } from "../taskQueries";
import { EditableField } from "./editableField";

interface TaskFieldsPanelProps {
  task: Task;
  onChange: (fields: TaskFields) => void;
}

/** The task's fields. Each is saved when it changes. */
export function TaskFieldsPanel({ task, onChange }: TaskFieldsPanelProps) {
  const { id: organizationId } = useOrganization();
  const statuses = useStatuses();
  const members = useMembers();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data ?? [];
  const hasLeft = task.assigneeId !== null && members.every(({ userId }) => userId !== task.assigneeId);
  return (
    <aside aria-label="Fields" className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <Select
        label="Status"
        value={task.status}
        onChange={(status) => onChange({ status })}
        options={statusOptions(statuses)}
      />
      <Select
        label="Priority"
        value={task.priority}
        onChange={(value) => isPriority(value) && onChange({ priority: value })}
        options={priorityOptions}
      />
      <Select
        label="Assignee"
        value={task.assigneeId ?? ""}
        onChange={(value) => onChange({ assigneeId: value || null })}
        options={[
          { value: "", title: "Unassigned" },
          ...(hasLeft ? [{ value: task.assigneeId ?? "", title: "A former member" }] : []),
          ...memberOptions(members),
        ]}
      />
      {projects.length > 0 && (
        <Select
          label="Project"
          value={task.projectId ?? ""}
          onChange={(value) => onChange({ projectId: value || null })}
          options={[
            { value: "", title: "None" },
            ...projects.map(({ id, name }) => ({ value: id, title: name })),
          ]}
        />
      )}
      <LabelsField labels={task.labels} onChange={(labels) => onChange({ labels })} />
      <EditableField
        label="Due date"
        type="date"
        value={task.dueDate ?? ""}
        onSave={(day) => onChange({ dueDate: day || null })}
      />
      <EditableField
        label="Estimate"
        type="number"
        min={0}
        max={10_000}
        value={task.estimate === null ? "" : `${task.estimate}`}
        onSave={(points) => onChange({ estimate: points === "" ? null : Number(points) })}
      />
      <EditableField
        label="Branch"
        value={task.branch ?? ""}
        maxLength={200}
        placeholder={task.slug}
        onSave={(branch) => onChange({ branch: branch || null })}
      />
      <div className="flex flex-col gap-1.5">
        <EditableField
          label="Pull request"
          type="url"
          value={task.prUrl ?? ""}
          placeholder="https://…"
          onSave={(url) => onChange({ prUrl: url || null })}
        />
        {task.prUrl && <ExternalUrl url={task.prUrl} title="Open the pull request" />}
      </div>
      {task.externalUrl && <ExternalUrl url={task.externalUrl} title="Open the issue" />}
      <p className="text-muted text-xs">
        Created <Time at={task.createdAt} />
        {task.creatorId !== null && <> by {memberName(members, task.creatorId)}</>}, updated{" "}
        <Time at={task.updatedAt} />
      </p>
    </aside>
  );
}

/** Links to an external URL. Renders plain text if the URL is not safe to open. */
function ExternalUrl({ url, title }: { url: string; title: string }) {
  const href = safeHref(url);
  return href === undefined ? (
    <span className="wrap-anywhere text-muted text-sm">{url}</span>
  ) : (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1.5 text-accent text-sm underline underline-offset-2"
    >
      {title}
      <ExternalLink aria-hidden="true" className="size-3.5" />
      <span className="sr-only">in a new tab</span>
    </a>
  );
}
