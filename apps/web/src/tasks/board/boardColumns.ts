import type { Task, TaskPriority, TaskStatus, TaskStatusType } from "@grove/schemas";
import type { Move } from "./boardPosition";

const urgency = { urgent: 0, high: 1, medium: 2, low: 3, none: 4 } satisfies Record<TaskPriority, number>;
/** Tasks that are open are first. */
const closing = { backlog: 0, unstarted: 0, started: 0, completed: 1, canceled: 2 } satisfies Record<
  TaskStatusType,
  number
>;

/** Sorts open tasks before completed and canceled ones, each by priority, then newest first. */
export const byUrgency = (tasks: readonly Task[]): Task[] =>
  tasks.toSorted(
    (a, b) =>
      closing[a.statusType] - closing[b.statusType] ||
      urgency[a.priority] - urgency[b.priority] ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
      (a.id < b.id ? 1 : -1),
  );

/** Sorts by rank, the manual order, highest first. */
const byRank = (tasks: readonly Task[]): Task[] =>
  tasks.toSorted((a, b) => (a.rank < b.rank ? 1 : a.rank > b.rank ? -1 : 0));

export interface Column {
  status: TaskStatus;
  tasks: Task[];
  /** The number of tasks with this status, loaded or not. */
  total: number;
}

interface Board {
  tasks: readonly Task[];
  /** The organization's statuses; never empty. */
  statuses: readonly TaskStatus[];
  /** Moves in flight, in order. They override the tasks' own positions. */
  moves?: readonly Move[];
  /** The number of tasks by status, if not all are loaded. */
  totals?: Readonly<Record<string, number>> | undefined;
}

/** Groups the tasks into a column per status. A task whose status is unknown goes to the first one of its type. */
export function columnsOf({ tasks, statuses, moves = [], totals }: Board): Column[] {
  const columns = statuses.map((status): Column => ({ status, tasks: [], total: 0 }));
  const columnOf = (key: string) => columns.find(({ status }) => status.key === key);
  for (const task of byRank(tasks)) {
    const column =
      columnOf(task.status) ?? columns.find(({ status }) => status.type === task.statusType) ?? columns[0];
    column?.tasks.push(task);
  }
  for (const { id, status, after } of moves) {
    const from = columns.find((column) => column.tasks.some((task) => task.id === id));
    const to = columnOf(status);
    const task = from?.tasks.find((one) => one.id === id);
    if (!from || !to || !task) continue;
    from.tasks = from.tasks.filter((one) => one !== task);
    const at = after === undefined ? 0 : to.tasks.findIndex((one) => one.id === after) + 1;
    to.tasks = to.tasks.toSpliced(at, 0, task);
  }
  for (const column of columns) column.total = totals?.[column.status.key] ?? column.tasks.length;
  return columns;
}
