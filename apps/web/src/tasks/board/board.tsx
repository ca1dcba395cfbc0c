import type { Task, TaskStatus } from "@grove/schemas";
import { useCallback, useState } from "react";
import { onKeys } from "../../ui/inputMethod";
import type { TaskFilter } from "../filter/taskFilters";
import { undoMove } from "../taskMutations";
import { useAgentStates } from "../useAgentStates";
import { BoardSelection, type CardMenu } from "./boardSelection";
import { CardSelection } from "./cardSelection";
import { Column } from "./column";
import { ColumnCards } from "./columnCards";
import { useBoardColumns } from "./useBoardColumns";
import { useBoardFocus } from "./useBoardFocus";
import { useBoardKeys } from "./useBoardKeys";
import { useBoardMoves } from "./useBoardMoves";
import { useCardDrag } from "./useCardDrag";
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
export function Board({ onNew, ...boardTasks }: BoardProps) {
  const { tasks } = boardTasks;
  const agentStates = useAgentStates();
  const drag = useDragLibrary();
  const [menu, setMenu] = useState<CardMenu>();
  const openMenu = useCallback((id: string, anchor: HTMLElement) => setMenu({ id, kind: "all", anchor }), []);
  const [lifted, setLifted] = useLiftedCard();
  const [selection] = useState(() => new CardSelection());
  const { columns, cards, showMore } = useBoardColumns(boardTasks, lifted);
  const { board, tabStop } = useBoardFocus<HTMLElement>(cards.map(({ ids }) => ids));
  const { move, drop } = useBoardMoves(tasks, cards, selection);
  const dropMove = useCardDrag(drag, drop);
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
  return (
    <>
      <section
        ref={board}
        aria-label="Board"
        aria-describedby="board-keys"
        onKeyDown={onKeys(onKeyDown)}
        className="-mx-1 relative flex gap-2 overflow-x-auto p-1 pb-3 max-md:items-start md:min-h-0 md:flex-1"
      >
        {columns.map((column) => (
          <Column
            key={column.status.key}
            column={column}
            drag={drag}
            renderedCount={column.renderedTasks.length}
            onMore={showMore}
            onNew={onNew}
          >
            <ColumnCards
              tasks={column.renderedTasks}
              agentStates={agentStates}
              tabStop={tabStop}
              liftedId={lifted?.id}
              selection={selection}
              dropPosition={dropMove?.status === column.status.key ? dropMove : undefined}
              drag={drag}
              onMenu={openMenu}
            />
          </Column>
        ))}
      </section>
      <BoardHelp announcement={announcement} />
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

/** The board's keys, and what a screen reader announces of a move. */
const BoardHelp = ({ announcement }: { announcement: string }) => (
  <>
    <p role="status" className="sr-only">
      {announcement}
    </p>
    <p id="board-keys" className="hidden pt-2 text-muted text-xs md:block">
      Use the arrow keys to move between cards. Space picks up a card, the arrow keys move it, Space drops it,
      and Ctrl+Z undoes the move. On a card: S status, P priority, A assignee, X selects it, N new task.
    </p>
  </>
);
