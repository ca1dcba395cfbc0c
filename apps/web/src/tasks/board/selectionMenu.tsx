import type { Task } from "@grove/schemas";
import { AnchoredMenu } from "../../ui/anchoredMenu";
import { MenuRadioGroup } from "../../ui/menu";
import { isPriority, priorityOptions } from "../displayNames";
import type { TaskFields } from "../optimisticTask";
import type { TaskMenuKind } from "../taskMenu";
import { memberOptions, statusOptions, useMembers, useStatuses } from "../taskQueries";
import { useChangeTasks } from "./selectionMutations";

export interface SelectionMenuProps {
  tasks: readonly Task[];
  kind: Exclude<TaskMenuKind, "all">;
  anchor: HTMLElement;
  onClose: () => void;
}

/** The value of a field, if all tasks have the same. */
function common<Value>(tasks: readonly Task[], fieldOf: (task: Task) => Value): Value | undefined {
  const values = new Set(tasks.map(fieldOf));
  return values.size === 1 ? [...values][0] : undefined;
}

const UNASSIGNED = "";
/** No option has this value. */
const MIXED = " ";

/** Sets a field of all selected tasks. */
export function SelectionMenu({ tasks, kind, anchor, onClose }: SelectionMenuProps) {
  const change = useChangeTasks();
  const statuses = useStatuses();
  const members = useMembers();
  const set = (fields: TaskFields) => {
    onClose();
    change(tasks, fields);
  };
  const groups = {
    status: {
      title: "Move to",
      value: common(tasks, ({ status }) => status),
      options: statusOptions(statuses),
      onChange: (status: string) => set({ status }),
    },
    priority: {
      title: "Priority",
      value: common(tasks, ({ priority }) => priority),
      options: priorityOptions,
      onChange: (value: string) => isPriority(value) && set({ priority: value }),
    },
    assignee: {
      title: "Assignee",
      value: common(tasks, ({ assigneeId }) => assigneeId ?? UNASSIGNED),
      options: [{ value: UNASSIGNED, title: "Unassigned" }, ...memberOptions(members)],
      onChange: (id: string) => set({ assigneeId: id === UNASSIGNED ? null : id }),
    },
  };
  const { title, value, options, onChange } = groups[kind];
  return (
    <AnchoredMenu anchor={anchor} onClose={onClose}>
      <MenuRadioGroup<string> title={title} value={value ?? MIXED} options={options} onChange={onChange} />
    </AnchoredMenu>
  );
}
