import type { Task } from "@grove/schemas";
import { SquareCheck, Trash2 } from "lucide-react";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { MenuItem, MenuRadioGroup, MenuSeparator } from "../ui/menu";
import { priorityOptions } from "./displayNames";
import { useChangeTask, useDeleteTask } from "./taskMutations";
import { memberOptions, statusOptions, useMembers, useStatuses } from "./taskQueries";

/** Which fields the menu offers. */
export type TaskMenuKind = "all" | "status" | "priority" | "assignee";

interface TaskMenuProps {
  task: Task;
  kind: TaskMenuKind;
  anchor: HTMLElement;
  onClose: () => void;
  /** Selects the task, or removes it from the selection. */
  onSelect?: () => void;
}

const UNASSIGNED = "";

/** The menu of a task. Moves its card without dragging, which accessibility requires. */
export function TaskMenu({ task, kind, anchor, onClose, onSelect }: TaskMenuProps) {
  const change = useChangeTask();
  const remove = useDeleteTask();
  const statuses = useStatuses();
  const members = useMembers();
  function set(fields: Parameters<typeof change>[1]): void {
    onClose();
    change(task, fields);
  }
  return (
    <AnchoredMenu anchor={anchor} onClose={onClose}>
      {(kind === "all" || kind === "status") && (
        <MenuRadioGroup
          title="Status"
          value={task.status}
          options={statusOptions(statuses)}
          onChange={(status) => set({ status })}
        />
      )}
      {kind === "all" && <MenuSeparator />}
      {(kind === "all" || kind === "priority") && (
        <MenuRadioGroup
          title="Priority"
          value={task.priority}
          options={priorityOptions}
          onChange={(priority) => set({ priority })}
        />
      )}
      {kind === "assignee" && (
        <MenuRadioGroup
          title="Assignee"
          value={task.assigneeId ?? UNASSIGNED}
          options={[{ value: UNASSIGNED, title: "Unassigned" }, ...memberOptions(members)]}
          onChange={(id) => set({ assigneeId: id === UNASSIGNED ? null : id })}
        />
      )}
      {kind === "all" && (
        <>
          <MenuSeparator />
          {onSelect && (
            <MenuItem onSelect={onSelect}>
              <SquareCheck aria-hidden="true" className="size-4" />
              Select or deselect
            </MenuItem>
          )}
          <MenuItem danger onSelect={() => remove(task)}>
            <Trash2 aria-hidden="true" className="size-4" />
            Delete
          </MenuItem>
        </>
      )}
    </AnchoredMenu>
  );
}
