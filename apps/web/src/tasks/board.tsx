import type { Task, TaskStatus } from "@grove/schemas";
import { startTransition, useCallback, useEffect, useState } from "react";
import { onKeys } from "../ui/inputMethod";
import { columnsOf } from "./boardColumns";
import { type Move, type Position, positionOf } from "./boardPosition";
import { Card } from "./card";
import { Column } from "./column";
import type { TaskFilter } from "./filters";
import { TaskMenu } from "./lazyDialogs";
import { applyPending } from "./optimisticTask";
import type { Kind } from "./taskMenu";
import { undoMove, useMoveTask, usePendingMoves } from "./taskMutations";
import { memberName, useMembers } from "./taskQueries";
import { useBoardFocus } from "./useBoardFocus";
import { type Lifted, useBoardKeys } from "./useBoardKeys";
import { useCardDrag } from "./useCardDrag";
import { useDragLibrary } from "./useDragLibrary";

interface BoardProps {
  tasks: Task[];
  /** The number of tasks by status, if not all are loaded. */
  totals: Record<string, number> | undefined;
  statuses: TaskStatus[];
  filter: TaskFilter;
  onNew: (status: string) => void;
}

/** The page size of a column, enough for most screens. The next page is rendered when its end comes near. */
const COLUMN_PAGE = 10;

/** The tasks in columns by status. Cards move by pointer, by keys, and by their menu. */
export function Board({ tasks, totals, statuses, filter, onNew }: BoardProps) {
  const members = useMembers();
  const drag = useDragLibrary();
  const moves = usePendingMoves();
  const moveTask = useMoveTask();
  const [menu, setMenu] = useState<{ id: string; kind: Kind; anchor: HTMLElement }>();
  const [shown, setShown] = useState<Record<string, number>>({});
  const [lifted, setLifted] = useState<Lifted>();

  const visible = statuses.filter(
    ({ key, type }) =>
      filter.status === undefined ||
      filter.status === key ||
      (filter.status === type && statuses.every((status) => status.key !== type)),
  );
  // A lifted card is rendered where it would be dropped.
  const liftedChange = lifted ? [{ id: lifted.id, fields: { status: lifted.status } }] : [];
  const columns = columnsOf({
    tasks: tasks.map((task) => applyPending(task, liftedChange, statuses)),
    statuses: visible,
    moves: lifted ? [...moves, lifted] : moves,
    totals,
  });
  const shownTasks = columns.map(({ status, tasks }) => tasks.slice(0, shown[status.key] ?? COLUMN_PAGE));
  const cards = columns.map(({ status }, at) => ({
    status: status.key,
    ids: shownTasks[at]?.map(({ id }) => id) ?? [],
  }));
  const { board, stop } = useBoardFocus<HTMLElement>(cards.map(({ ids }) => ids));

  function move({ id, status, after }: Move, from: Position | undefined): void {
    const task = tasks.find((one) => one.id === id);
    if (task && from && (from.status !== status || from.after !== after))
      moveTask({ id, title: task.title, status, after, from });
  }
  const { onKeyDown, announcement } = useBoardKeys({
    tasks,
    columns,
    cards,
    lifted,
    setLifted,
    board,
    move,
    undo: undoMove,
    openMenu: (id, kind, anchor) => setMenu({ id, kind, anchor }),
    onNew: () => onNew(""),
  });
  const over = useCardDrag(drag, (dropped) => move(dropped, positionOf(cards, dropped.id)));
  useEffect(() => {
    if (!lifted) return;
    const putBack = () => setLifted(undefined);
    document.addEventListener("pointerdown", putBack);
    return () => document.removeEventListener("pointerdown", putBack);
  }, [lifted]);
  const openAll = useCallback((id: string, anchor: HTMLElement) => setMenu({ id, kind: "all", anchor }), []);
  const showMore = useCallback(
    (status: string) =>
      startTransition(() =>
        setShown((known) => ({ ...known, [status]: (known[status] ?? COLUMN_PAGE) + COLUMN_PAGE })),
      ),
    [],
  );
  const menuTask = tasks.find(({ id }) => id === menu?.id);
  return (
    <>
      <section
        ref={board}
        aria-label="Board"
        aria-describedby="board-keys"
        onKeyDown={onKeys(onKeyDown)}
        className="-mx-1 relative flex items-start gap-2 overflow-x-auto p-1 pb-3"
      >
        {columns.map((column, at) => (
          <Column
            key={column.status.key}
            column={column}
            drag={drag}
            shown={shownTasks[at]?.length ?? 0}
            onMore={showMore}
            onNew={onNew}
          >
            {shownTasks[at]?.map((task, index) => (
              <Card
                key={task.id}
                task={task}
                assignee={task.assigneeId === null ? undefined : memberName(members, task.assigneeId)}
                isStop={task.id === stop}
                isLifted={task.id === lifted?.id}
                line={over?.status === column.status.key ? lineAt(over, task.id, index) : undefined}
                drag={drag}
                onMenu={openAll}
              />
            ))}
          </Column>
        ))}
      </section>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <p id="board-keys" className="hidden pt-2 text-muted text-xs md:block">
        Arrow keys go from card to card. Space lifts a card, arrow keys move it, Space drops it, Ctrl Z undoes
        the move. On a card: S status, P priority, A assignee, N new task.
      </p>
      {menu && menuTask && (
        <TaskMenu task={menuTask} kind={menu.kind} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
    </>
  );
}

/** Where a card shows the drop indicator: below the card above it, or at the top of the column. */
function lineAt({ after }: Position, id: string, index: number): "above" | "below" | undefined {
  if (after === id) return "below";
  return after === undefined && index === 0 ? "above" : undefined;
}
