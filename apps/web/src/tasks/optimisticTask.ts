import type { Task, TaskStatus } from "@grove/schemas";

/** The fields that the console can edit. */
export type TaskFields = Partial<
  Pick<
    Task,
    | "title"
    | "description"
    | "status"
    | "priority"
    | "assigneeId"
    | "projectId"
    | "labels"
    | "dueDate"
    | "estimate"
    | "branch"
    | "prUrl"
  >
>;

export interface TaskChange {
  id: string;
  fields: TaskFields;
}

/** Applies the updates in flight to a task. A refused update leaves the list, which rolls it back. */
export function applyPending(
  task: Task,
  changes: readonly TaskChange[],
  statuses: readonly TaskStatus[],
): Task {
  const own = changes.filter(({ id }) => id === task.id);
  if (own.length === 0) return task;
  const changed: Task = Object.assign({}, task, ...own.map(({ fields }) => fields));
  const statusType = statuses.find(({ key }) => key === changed.status)?.type ?? task.statusType;
  return { ...changed, statusType };
}
