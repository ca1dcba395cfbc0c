import type { Task, TaskStatus } from "@grove/schemas";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { Card } from "./card";
import { useChangeTask } from "./changes";
import { Column } from "./column";
import { nameOf, useMembers } from "./data";
import { useDragLibrary } from "./drag";
import type { TaskFilter } from "./filters";
import { withChanges } from "./merge";
import { columnsOf } from "./order";
import type { Kind } from "./taskMenu";
import { useBoardKeys } from "./useBoardKeys";
import { useKeptFocus } from "./useKeptFocus";
import { TaskMenu } from "./whenUsed";

interface BoardProps {
  tasks: Task[];
  statuses: TaskStatus[];
  filter: TaskFilter;
  onNew: (status: string) => void;
}

/** Cards that a column shows at first, and more with each press. */
const SHOWN = 50;

/** The tasks in columns by status. Cards move by pointer, by keys, and by their menu. */
export function Board({ tasks, statuses, filter, onNew }: BoardProps) {
  const members = useMembers();
  const drag = useDragLibrary();
  const change = useChangeTask();
  const [menu, setMenu] = useState<{ id: string; kind: Kind; anchor: HTMLElement }>();
  const [shown, setShown] = useState<Record<string, number>>({});
  const [lifted, setLifted] = useState<{ id: string; status: string }>();

  const visible = statuses.filter(
    ({ key, type }) =>
      filter.status === undefined ||
      filter.status === key ||
      (filter.status === type && statuses.every((status) => status.key !== type)),
  );
  // A lifted card stands where it would be dropped.
  const held = lifted ? [{ id: lifted.id, fields: { status: lifted.status } }] : [];
  const columns = columnsOf(
    tasks.map((task) => withChanges(task, held, statuses)),
    visible,
  );
  const cards = columns.map((column) => column.tasks.slice(0, shown[column.status.key] ?? SHOWN));
  const ids = cards.map((column) => column.map(({ id }) => id));
  const { board, stop } = useKeptFocus<HTMLElement>(ids);

  function move(id: string, status: string): void {
    const task = tasks.find((one) => one.id === id);
    if (task && task.status !== status) change(task, { status });
  }
  const { onKeyDown, announcement } = useBoardKeys({
    tasks,
    statuses: visible,
    ids,
    lifted,
    setLifted,
    board,
    move,
    openMenu: (id, kind, anchor) => setMenu({ id, kind, anchor }),
    onNew: () => onNew(""),
  });
  const onDropped = useEffectEvent(move);
  useEffect(
    () =>
      drag?.monitorForElements({
        onDrop: ({ source, location }) => {
          const [target] = location.current.dropTargets;
          if (typeof source.data.task === "string" && typeof target?.data.status === "string")
            onDropped(source.data.task, target.data.status);
        },
      }),
    [drag],
  );
  useEffect(() => {
    if (!lifted) return;
    const putBack = () => setLifted(undefined);
    document.addEventListener("pointerdown", putBack);
    return () => document.removeEventListener("pointerdown", putBack);
  }, [lifted]);
  const openAll = useCallback((id: string, anchor: HTMLElement) => setMenu({ id, kind: "all", anchor }), []);
  const ofMenu = tasks.find(({ id }) => id === menu?.id);
  return (
    <>
      <section
        ref={board}
        aria-label="Board"
        aria-describedby="board-keys"
        onKeyDown={onKeyDown}
        className="-mx-1 relative flex items-start gap-2 overflow-x-auto p-1 pb-3"
      >
        {columns.map((column, at) => (
          <Column
            key={column.status.key}
            column={column}
            drag={drag}
            shown={cards[at]?.length ?? 0}
            onMore={() =>
              setShown((known) => ({
                ...known,
                [column.status.key]: (known[column.status.key] ?? SHOWN) + SHOWN,
              }))
            }
            onNew={onNew}
          >
            {cards[at]?.map((task) => (
              <Card
                key={task.id}
                task={task}
                assignee={task.assigneeId === null ? undefined : nameOf(members, task.assigneeId)}
                isStop={task.id === stop}
                isLifted={task.id === lifted?.id}
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
        Arrow keys go from card to card. Space lifts a card, arrow keys move it, Space drops it. On a card: S
        status, P priority, A assignee, N new task.
      </p>
      {menu && ofMenu && (
        <TaskMenu task={ofMenu} kind={menu.kind} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
    </>
  );
}
