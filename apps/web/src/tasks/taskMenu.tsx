import type { Task } from "@grove/schemas";
import { Trash2 } from "lucide-react";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { MenuChoice, MenuItem, MenuLine } from "../ui/menu";
import { priorityOptions } from "./displayNames";
import { useChangeTask, useDeleteTask } from "./taskMutations";
import { memberOptions, statusOptions, useMembers, useStatuses } from "./taskQueries";

/** Which fields the menu offers. */
export type Kind = "all" | "status" | "priority" | "assignee";

interface TaskMenuProps {
  task: Task;
  kind: Kind;
  anchor: HTMLElement;
  onClose: () => void;
}

const UNASSIGNED = "";

/** The actions of a task. It moves cards without dragging, which accessibility requires. */
export function TaskMenu({ task, kind, anchor, onClose }: TaskMenuProps) {
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
        <MenuChoice
          title="Status"
          value={task.status}
          options={statusOptions(statuses)}
          onChange={(status) => set({ status })}
        />
      )}
      {kind === "all" && <MenuLine />}
      {(kind === "all" || kind === "priority") && (
        <MenuChoice
          title="Priority"
          value={task.priority}
          options={priorityOptions}
          onChange={(priority) => set({ priority })}
        />
      )}
      {kind === "assignee" && (
        <MenuChoice
          title="Assignee"
          value={task.assigneeId ?? UNASSIGNED}
          options={[{ value: UNASSIGNED, title: "Unassigned" }, ...memberOptions(members)]}
          onChange={(id) => set({ assigneeId: id === UNASSIGNED ? null : id })}
        />
      )}
      {kind === "all" && (
        <>
          <MenuLine />
          <MenuItem danger onSelect={() => remove(task)}>
            <Trash2 aria-hidden="true" className="size-4" />
            Delete
          </MenuItem>
        </>
      )}
    </AnchoredMenu>
  );
}
