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

/** Whether what came last is older than what is known. Answers and events may overtake one another. */
export const isOlder = (task: Task, known: Task): boolean =>
  Date.parse(task.updatedAt) < Date.parse(known.updatedAt);

/**
 * A list after a task was made or changed: in any order, and as often as it comes.
 * @param belongs whether the task passes the list's filter
 */
export function withTask(tasks: Task[], task: Task, belongs: boolean): Task[] {
  const at = tasks.findIndex(({ id }) => id === task.id);
  const known = tasks[at];
  if (known && isOlder(task, known)) return tasks;
  if (!belongs) return known ? tasks.toSpliced(at, 1) : tasks;
  return known ? tasks.with(at, task) : [...tasks, task];
}

/** A list after a task was deleted. */
export const withoutTask = (tasks: Task[], id: string): Task[] =>
  tasks.some((task) => task.id === id) ? tasks.filter((task) => task.id !== id) : tasks;

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
