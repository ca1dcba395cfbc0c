import type { Inputs } from "@grove/client";
import type { Task } from "@grove/schemas";

export type TaskListInput = Inputs["task"]["list"];

/**
 * Whether a task passes a list's filter, except for `search`, which only the server evaluates.
 * @param statusKeys the organization's status keys. A key takes precedence over a status type of the same name.
 */
export function passesFilter(task: Task, filter: TaskListInput, statusKeys: readonly string[]): boolean {
  const { statuses = listOf(filter.status), labels = [] } = filter;
  const passesStatus =
    !statuses ||
    statuses.includes(task.status) ||
    (statuses.includes(task.statusType) && !statusKeys.includes(task.statusType));
  return (
    passesStatus &&
    isIn(task.priority, filter.priorities ?? listOf(filter.priority)) &&
    passesAssignee(task, filter) &&
    isIn(task.projectId, filter.projectIds ?? listOf(filter.projectId)) &&
    labels.every((label) => task.labels.includes(label))
  );
}

const listOf = <Value>(value: Value | undefined): Value[] | undefined =>
  value === undefined ? undefined : [value];

const isIn = <Value>(value: Value | null, values: readonly Value[] | undefined): boolean =>
  values === undefined || (value !== null && values.includes(value));

function passesAssignee({ assigneeId }: Task, { unassigned, ...filter }: TaskListInput): boolean {
  const ids = filter.assigneeIds ?? listOf(filter.assigneeId);
  if (unassigned) return assigneeId === null || (ids?.includes(assigneeId) ?? false);
  return isIn(assigneeId, ids);
}
