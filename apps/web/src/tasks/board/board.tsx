import type { Task, TaskStatus } from "@grove/schemas";
import { useCallback, useState } from "react";
import { onKeys } from "../../ui/inputMethod";
import { matchesStatus } from "../filter/activeFilter";
import type { TaskFilter } from "../filter/filters";
import { applyPending } from "../optimisticTask";
import { undoMove, useMoveTasks, usePendingMoves } from "../taskMutations";
import { memberName, useMembers } from "../taskQueries";
import { useAgentStates } from "../useAgentStates";
import { columnsOf } from "./boardColumns";
import { type Move, type Position, positionOf } from "./boardPosition";
import { BoardSelection, type CardMenu } from "./boardSelection";
import { Card } from "./card";
import { CardSelection } from "./cardSelection";
import { Column } from "./column";
import { movesOf } from "./selectedMoves";
import { useBoardFocus } from "./useBoardFocus";
import { useBoardKeys } from "./useBoardKeys";
import { useCardDrag } from "./useCardDrag";
import { useColumnPages } from "./useColumnPages";
import { useDragLibrary } from "./useDragLibrary";
import { useLiftedCard } from "./useLiftedCard";

interface BoardProps {
  tasks: Task[];
  /** The number of tasks by status, if not all are loaded. */
  totals: Record<string, number> | undefined;
  statuses: TaskStatus[];
  filter: TaskFilter;
  onNew: (status: string) => void;
}

/** The tasks in columns by status. Cards move by pointer, by keys, and by their menu. */
export function Board({ tasks, totals, statuses, filter, onNew }: BoardProps) {
  const members = useMembers();
  const agentStates = useAgentStates();
  const drag = useDragLibrary();
  const pendingMoves = usePendingMoves();
  const moveTasks = useMoveTasks();
  const [menu, setMenu] = useState<CardMenu>();
  const openMenu = useCallback((id: string, anchor: HTMLElement) => setMenu({ id, kind: "all", anchor }), []);
  const { countOf, showMore } = useColumnPages();
  const [lifted, setLifted] = useLiftedCard();
  const [selection] = useState(() => new CardSelection());

  // A lifted card is rendered where it would be dropped.
  const liftedChange = lifted ? [{ id: lifted.id, fields: { status: lifted.status } }] : [];
  const columns = columnsOf({
    tasks: tasks.map((task) => applyPending(task, liftedChange, statuses)),
    statuses: statuses.filter((status) => matchesStatus(filter, status, statuses)),
    moves: lifted ? [...pendingMoves, lifted] : pendingMoves,
    totals,
  });
  const renderedTasks = columns.map(({ status, tasks }) => tasks.slice(0, countOf(status.key)));
  const cards = columns.map(({ status }, index) => ({
    status: status.key,
    ids: renderedTasks[index]?.map(({ id }) => id) ?? [],
  }));
  const { board, tabStop } = useBoardFocus<HTMLElement>(cards.map(({ ids }) => ids));

  function move({ id, status, after }: Move, from: Position | undefined): void {
    const task = tasks.find((each) => each.id === id);
    if (task && from && (from.status !== status || from.after !== after))
      moveTasks([{ id, title: task.title, status, after, from }]);
  }
  function drop(dropped: Move): void {
    if (selection.has(dropped.id)) {
      const titles = new Map(tasks.map(({ id, title }) => [id, title]));
      const moves = movesOf(cards, selection.ids(), dropped);
      moveTasks(moves.map((each) => ({ ...each, title: titles.get(each.id) ?? "" })));
    } else move(dropped, positionOf(cards, dropped.id));
  }
  const { onKeyDown, announcement } = useBoardKeys({
    tasks,
    columns,
    cards,
    lifted,
    setLifted,
    selection,
    board,
    move,
    undo: undoMove,
    openMenu: (id, kind, anchor) => setMenu({ id, kind, anchor }),
    onNew: () => onNew(""),
  });
  const dropMove = useCardDrag(drag, drop);
  return (
    <>
      <section
        ref={board}
        aria-label="Board"
        aria-describedby="board-keys"
        onKeyDown={onKeys(onKeyDown)}
        className="-mx-1 relative flex gap-2 overflow-x-auto p-1 pb-3 max-md:items-start md:min-h-0 md:flex-1"
      >
        {columns.map((column, columnIndex) => (
          <Column
            key={column.status.key}
            column={column}
            drag={drag}
            renderedCount={renderedTasks[columnIndex]?.length ?? 0}
            onMore={showMore}
            onNew={onNew}
          >
            {renderedTasks[columnIndex]?.map((task, index) => (
              <Card
                key={task.id}
                task={task}
                agentState={agentStates.get(task.id)}
                assignee={task.assigneeId === null ? undefined : memberName(members, task.assigneeId)}
                isTabStop={task.id === tabStop}
                selection={selection}
                isLifted={task.id === lifted?.id}
                dropIndicator={
                  dropMove?.status === column.status.key ? indicatorAt(dropMove, task.id, index) : undefined
                }
                drag={drag}
                onMenu={openMenu}
              />
            ))}
          </Column>
        ))}
      </section>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <p id="board-keys" className="hidden pt-2 text-muted text-xs md:block">
        Use the arrow keys to move between cards. Space picks up a card, the arrow keys move it, Space drops
        it, and Ctrl+Z undoes the move. On a card: S status, P priority, A assignee, X selects it, N new task.
      </p>
      <BoardSelection
        selection={selection}
        tasks={columns.flatMap((column) => column.tasks)}
        board={board}
        menu={menu}
        onMenuClose={() => setMenu(undefined)}
      />
    </>
  );
}

/** Where a card shows the drop indicator: below the card above it, or at the top of the column. */
function indicatorAt({ after }: Position, id: string, index: number): "above" | "below" | undefined {
  if (after === id) return "below";
  return after === undefined && index === 0 ? "above" : undefined;
}
