import type { Task, TaskStatus } from "@grove/schemas";
import { matchesStatus } from "../filter/activeFilter";
import type { TaskFilter } from "../filter/taskFilters";
import { applyPending } from "../optimisticTask";
import { usePendingMoves } from "../taskMutations";
import { type Column, columnsOf } from "./boardColumns";
import { useColumnPages } from "./useColumnPages";
import type { LiftedCard } from "./useLiftedCard";

interface BoardTasks {
  tasks: Task[];
  /** The number of tasks by status, if not all are loaded. */
  totals: Record<string, number> | undefined;
  statuses: TaskStatus[];
  filter: TaskFilter;
}

interface RenderedColumn extends Column {
  /** The first of its tasks, as many as are rendered so far. */
  renderedTasks: Task[];
}

/** Returns the board's columns and their rendered cards. A lifted card is where it would be dropped. */
export function useBoardColumns(
  { tasks, totals, statuses, filter }: BoardTasks,
  lifted: LiftedCard | undefined,
) {
  const pendingMoves = usePendingMoves();
  const { countOf, showMore } = useColumnPages();
  const liftedChange = lifted ? [{ id: lifted.id, fields: { status: lifted.status } }] : [];
  const columns = columnsOf({
    tasks: tasks.map((task) => applyPending(task, liftedChange, statuses)),
    statuses: statuses.filter((status) => matchesStatus(filter, status, statuses)),
    moves: lifted ? [...pendingMoves, lifted] : pendingMoves,
    totals,
  }).map(
    (column): RenderedColumn => ({
      ...column,
      renderedTasks: column.tasks.slice(0, countOf(column.status.key)),
    }),
  );
  const cards = columns.map(({ status, renderedTasks }) => ({
    status: status.key,
    ids: renderedTasks.map(({ id }) => id),
  }));
  return { columns, cards, showMore };
}
