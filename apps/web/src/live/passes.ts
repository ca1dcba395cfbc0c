import type { Inputs } from "@grove/client";
import type { Task } from "@grove/schemas";

/** The input of `task.list`; the API's default for a page is its limit. */
export type TaskListInput = Inputs["task"]["list"];

/**
 * Whether a task passes a filter of the console. Searching is the server's: ask it again if the filter has `search`.
 * @param statusKeys the organization's statuses: a key goes before a type of the same name
 */
export function passes(task: Task, filter: TaskListInput, statusKeys: readonly string[]): boolean {
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
