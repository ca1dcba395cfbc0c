import { Plus } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { Button, IconButton } from "../../ui/button";
import { VisibleName } from "../../ui/visibleName";
import { StatusIcon } from "../taskIcons";
import type { Column as ColumnOfTasks } from "./boardColumns";
import type { DragLibrary } from "./useDragLibrary";
import { useDropTarget } from "./useDropTarget";
import { useShowMoreAtEnd } from "./useShowMoreAtEnd";

interface ColumnProps {
  column: ColumnOfTasks;
  drag: DragLibrary | undefined;
  /** The number of cards rendered so far. */
  renderedCount: number;
  onMore: (status: string) => void;
  onNew: (status: string) => void;
  children: ReactNode;
}

/** A column of the board, and a drop target for cards. */
export function Column({
  column: { status, tasks, total },
  drag,
  renderedCount,
  onMore,
  onNew,
  children,
}: ColumnProps) {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  const isDropTarget = useDropTarget(element, drag, status.key);
  const moreButton = useRef<HTMLButtonElement>(null);
  const cards = useRef<HTMLDivElement>(null);
  useShowMoreAtEnd({ moreButton, cards, renderedCount, status: status.key, onMore });
  return (
    <section
      ref={element}
      aria-labelledby={id}
      className={`flex w-72 shrink-0 flex-col rounded-lg border p-2 transition-colors xl:w-auto xl:min-w-56 xl:flex-1 ${
        isDropTarget ? "border-accent bg-accent-soft" : "border-transparent bg-ground"
      }`}
    >
      <div className="flex h-8 shrink-0 items-center gap-2 pb-1 pl-1">
        <StatusIcon status={status} />
        <h2 id={id} className="min-w-0 truncate font-medium text-sm">
          <VisibleName>{status.name}</VisibleName>
        </h2>
        <span className="text-muted text-sm">
          {total}
          <span className="sr-only"> tasks</span>
        </span>
        <span className="ml-auto flex">
          <IconButton label={`New task in ${status.name}`} onClick={() => onNew(status.key)}>
            <Plus aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      </div>
      <div
        ref={cards}
        className="-mx-1 relative flex flex-col px-1 pt-1 md:min-h-0 md:flex-1 md:overflow-y-auto"
      >
        {tasks.length > 0 ? (
          <ul className="flex flex-col gap-1.5">{children}</ul>
        ) : (
          <p className="px-1 py-2 text-muted text-sm">No tasks</p>
        )}
        {tasks.length > renderedCount && (
          <Button ref={moreButton} look="quiet" onClick={() => onMore(status.key)}>
            Show more
          </Button>
        )}
      </div>
    </section>
  );
}
