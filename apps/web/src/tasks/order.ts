import type { Task, TaskPriority, TaskStatus } from "@grove/schemas";

const rank = { urgent: 0, high: 1, medium: 2, low: 3, none: 4 } satisfies Record<TaskPriority, number>;

/** The most urgent first; of the same priority, the newest. */
export const inOrder = (tasks: readonly Task[]): Task[] =>
  tasks.toSorted(
    (a, b) =>
      rank[a.priority] - rank[b.priority] ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
      (a.id < b.id ? 1 : -1),
  );

export interface Column {
  status: TaskStatus;
  tasks: Task[];
}

/**
 * The board: a column for each status, its tasks in order. A status that is not known yet counts as one of its type.
 * @param statuses the organization's, of which there is always one
 */
export function columnsOf(tasks: readonly Task[], statuses: readonly TaskStatus[]): Column[] {
  const columns = statuses.map((status): Column => ({ status, tasks: [] }));
  for (const task of inOrder(tasks)) {
    const column =
      columns.find(({ status }) => status.key === task.status) ??
      columns.find(({ status }) => status.type === task.statusType) ??
      columns[0];
    column?.tasks.push(task);
  }
  return columns;
}
