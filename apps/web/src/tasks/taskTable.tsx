import type { Task, TaskStatus } from "@grove/schemas";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../ui/button";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { byUrgency } from "./board/boardColumns";
import { useBoardFocus } from "./board/useBoardFocus";
import { TaskMenu } from "./lazyDialogs";
import { Assignee, Label, PriorityIcon, StatusIcon } from "./taskIcons";
import { TaskLink } from "./taskLink";
import { memberName, useMembers, useStatuses } from "./taskQueries";

const PAGE_SIZE = 100;

/** The list view: open tasks first, the most urgent at the top. */
export function TaskTable({ tasks }: { tasks: Task[] }) {
  const statuses = useStatuses();
  const members = useMembers();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [menu, setMenu] = useState<{ id: string; anchor: HTMLElement }>();
  const rows = byUrgency(tasks).slice(0, limit);
  const { board } = useBoardFocus<HTMLTableSectionElement>([rows.map(({ id }) => id)]);
  const menuTask = tasks.find(({ id }) => id === menu?.id);
  return (
    <div className="@container">
      <table className="w-full table-fixed border-collapse text-left">
        <thead className="text-muted text-xs">
          <tr className="border-line border-b">
            <th className="w-9 py-2 font-medium">
              <span className="sr-only">Priority</span>
            </th>
            <th className="py-2 pr-4 font-medium">Title</th>
            <th className="hidden w-36 @xl:table-cell py-2 pr-4 font-medium">Status</th>
            <th className="hidden w-56 @4xl:table-cell py-2 pr-4 font-medium">Labels</th>
            <th className="hidden w-40 @2xl:table-cell py-2 pr-4 font-medium">Assignee</th>
            <th className="hidden w-32 @4xl:table-cell py-2 pr-4 font-medium">Updated</th>
            <th className="w-10 py-2 font-medium">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={board}>
          {rows.map((task) => (
            <TaskRow
              key={task.id}
              task={task}
              status={statuses.find(({ key }) => key === task.status)}
              assignee={task.assigneeId === null ? undefined : memberName(members, task.assigneeId)}
              onMenu={(anchor) => setMenu({ id: task.id, anchor })}
            />
          ))}
        </tbody>
      </table>
      {tasks.length > limit && (
        <div className="pt-3">
          <Button onClick={() => setLimit(limit + PAGE_SIZE)}>Show more</Button>
        </div>
      )}
      {menu && menuTask && (
        <TaskMenu task={menuTask} kind="all" anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
    </div>
  );
}

interface TaskRowProps {
  task: Task;
  status: TaskStatus | undefined;
  assignee: string | undefined;
  onMenu: (button: HTMLElement) => void;
}

function TaskRow({ task, status, assignee, onMenu }: TaskRowProps) {
  const statusLabel = status && (
    <span className="flex items-center gap-2">
      <StatusIcon status={status} />
      <VisibleName className="truncate">{status.name}</VisibleName>
    </span>
  );
  return (
    <tr data-task={task.id} className="border-line border-b transition-colors hover:bg-hover/60">
      <td className="py-2 pl-1 align-middle leading-none">
        <PriorityIcon priority={task.priority} />
      </td>
      <td className="wrap-anywhere py-2 pr-4 @xl:truncate">
        <TaskLink task={task} className="font-medium hover:underline" />
        <span className="block pt-1 text-muted text-sm @xl:hidden">{statusLabel}</span>
      </td>
      <td className="hidden py-2 pr-4 @xl:table-cell">{statusLabel}</td>
      <td className="hidden truncate py-2 pr-4 @4xl:table-cell">
        <span className="flex gap-1">
          {task.labels.slice(0, 3).map((label) => (
            <Label key={label}>{label}</Label>
          ))}
        </span>
      </td>
      <td className="hidden truncate py-2 pr-4 @2xl:table-cell">
        <span className="flex items-center gap-2">
          <Assignee name={assignee} />
          {assignee !== undefined && (
            <VisibleName aria-hidden="true" className="truncate">
              {assignee}
            </VisibleName>
          )}
        </span>
      </td>
      <td className="hidden py-2 pr-4 text-muted @4xl:table-cell">
        <Time at={task.updatedAt} />
      </td>
      <td>
        <IconButton
          label={`Actions for ${task.title}`}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => onMenu(currentTarget)}
        >
          <Ellipsis aria-hidden="true" className="size-4" />
        </IconButton>
      </td>
    </tr>
  );
}
