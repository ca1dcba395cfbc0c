import type { Task, TaskStatus } from "@grove/schemas";
import { startTransition, useCallback, useEffect, useState } from "react";
import { onKeys } from "../ui/inputMethod";
import { Card } from "./card";
import { undoMove, useMoveTask, usePendingMoves } from "./changes";
import { Column } from "./column";
import { nameOf, useMembers } from "./data";
import { useDragLibrary } from "./drag";
import type { TaskFilter } from "./filters";
import { withChanges } from "./merge";
import { columnsOf } from "./order";
import { type Move, type Place, placeOf } from "./place";
import type { Kind } from "./taskMenu";
import { type Lifted, useBoardKeys } from "./useBoardKeys";
import { useCardDrag } from "./useCardDrag";
import { useKeptFocus } from "./useKeptFocus";
import { TaskMenu } from "./whenUsed";

interface BoardProps {
  tasks: Task[];
  /** How many tasks each status has, if not all are here. */
  totals: Record<string, number> | undefined;
  statuses: TaskStatus[];
  filter: TaskFilter;
  onNew: (status: string) => void;
}

/** Cards that a column begins with, which fill most screens. It gets as many again whenever its end comes near. */
const CARDS = 10;

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
  // A lifted card stands where it would be dropped.
  const held = lifted ? [{ id: lifted.id, fields: { status: lifted.status } }] : [];
  const columns = columnsOf({
    tasks: tasks.map((task) => withChanges(task, held, statuses)),
    statuses: visible,
    moves: lifted ? [...moves, lifted] : moves,
    totals,
  });
  const shownTasks = columns.map(({ status, tasks }) => tasks.slice(0, shown[status.key] ?? CARDS));
  const cards = columns.map(({ status }, at) => ({
    status: status.key,
    ids: shownTasks[at]?.map(({ id }) => id) ?? [],
  }));
  const { board, stop } = useKeptFocus<HTMLElement>(cards.map(({ ids }) => ids));

  function move({ id, status, after }: Move, from: Place | undefined): void {
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
  const over = useCardDrag(drag, (dropped) => move(dropped, placeOf(cards, dropped.id)));
  useEffect(() => {
    if (!lifted) return;
    const putBack = () => setLifted(undefined);
    document.addEventListener("pointerdown", putBack);
    return () => document.removeEventListener("pointerdown", putBack);
  }, [lifted]);
  const openAll = useCallback((id: string, anchor: HTMLElement) => setMenu({ id, kind: "all", anchor }), []);
  const showMore = useCallback(
    (status: string) =>
      startTransition(() => setShown((known) => ({ ...known, [status]: (known[status] ?? CARDS) + CARDS }))),
    [],
  );
  const ofMenu = tasks.find(({ id }) => id === menu?.id);
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
            {shownTasks[at]?.map((task, place) => (
              <Card
                key={task.id}
                task={task}
                assignee={task.assigneeId === null ? undefined : nameOf(members, task.assigneeId)}
                isStop={task.id === stop}
                isLifted={task.id === lifted?.id}
                line={over?.status === column.status.key ? lineAt(over, task.id, place) : undefined}
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
        Arrow keys go from card to card. Space lifts a card, arrow keys move it, Space drops it, Ctrl Z takes
        it back. On a card: S status, P priority, A assignee, N new task.
      </p>
      {menu && ofMenu && (
        <TaskMenu task={ofMenu} kind={menu.kind} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
    </>
  );
}

/** The line that shows where a dragged card would be dropped: below the card above it, or at the top. */
function lineAt({ after }: Place, id: string, place: number): "above" | "below" | undefined {
  if (after === id) return "below";
  return after === undefined && place === 0 ? "above" : undefined;
}
