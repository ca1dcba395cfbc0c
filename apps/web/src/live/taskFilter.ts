import type { Inputs } from "@grove/client";
import type { Task } from "@grove/schemas";

export type TaskListInput = Inputs["task"]["list"];

/**
 * Whether a task passes a list's filter, except for `search`, which only the server evaluates.
 * @param statusKeys the organization's status keys. A key takes precedence over a status type of the same name.
 */
export function passesFilter(task: Task, filter: TaskListInput, statusKeys: readonly string[]): boolean {
  const { status, priority, assigneeId, unassigned, projectId, labels = [] } = filter;
  const ofStatus =
    status === undefined ||
    (statusKeys.includes(status) ? task.status === status : task.statusType === status);
  return (
    ofStatus &&
    (priority === undefined || task.priority === priority) &&
    (assigneeId === undefined || task.assigneeId === assigneeId) &&
    (unassigned === undefined || task.assigneeId === null) &&
    (projectId === undefined || task.projectId === projectId) &&
    labels.every((label) => task.labels.includes(label))
  );
}
