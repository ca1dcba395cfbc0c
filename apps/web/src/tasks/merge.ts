import type { Task, TaskStatus } from "@grove/schemas";

/** The fields of a task that people change here. */
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

/** A change that the API has not answered yet. */
export interface TaskChange {
  id: string;
  fields: TaskFields;
}

/** A task as it will be if the API accepts the changes. One that it refuses is gone, and so is its effect. */
export function withChanges(
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
