import { Plus } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button, IconButton } from "../ui/button";
import { VisibleName } from "../ui/visibleName";
import type { Column as ColumnOfTasks } from "./boardColumns";
import { StatusIcon } from "./taskIcons";
import { cardAbove } from "./useCardDrag";
import type { DragLibrary } from "./useDragLibrary";

interface ColumnProps {
  column: ColumnOfTasks;
  drag: DragLibrary | undefined;
  /** The number of cards rendered so far. */
  shown: number;
  onMore: (status: string) => void;
  onNew: (status: string) => void;
  children: ReactNode;
}

/** A column of the board, and a drop target for cards. */
export function Column({
  column: { status, tasks, total },
  drag,
  shown,
  onMore,
  onNew,
  children,
}: ColumnProps) {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!drag || !element.current) return;
    return drag.dropTargetForElements({
      element: element.current,
      getData: ({ input, element, source }) => ({
        status: status.key,
        after: cardAbove(element, source.data.task, input.clientY),
      }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [drag, status.key]);
  const more = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: observes the end again after more cards were rendered.
  useEffect(() => {
    if (!more.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onMore(status.key),
      { rootMargin: "75% 0px" },
    );
    observer.observe(more.current);
    return () => observer.disconnect();
  }, [shown, onMore, status.key]);
  return (
    <section
      ref={element}
      aria-labelledby={id}
      className={`flex w-72 shrink-0 flex-col rounded-lg border p-2 transition-colors xl:w-auto xl:min-w-56 xl:flex-1 ${
        isOver ? "border-accent bg-accent-soft" : "border-transparent bg-ground"
      }`}
    >
      <div className="flex h-8 items-center gap-2 pb-1 pl-1">
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
      {tasks.length > 0 ? (
        <ul className="flex flex-col gap-1.5">{children}</ul>
      ) : (
        <p className="px-1 py-2 text-muted text-sm">No tasks</p>
      )}
      {tasks.length > shown && (
        <Button ref={more} look="quiet" onClick={() => onMore(status.key)}>
          Show more
        </Button>
      )}
    </section>
  );
}
