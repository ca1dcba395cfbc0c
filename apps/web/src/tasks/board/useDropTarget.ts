import { type RefObject, useEffect, useState } from "react";
import type { DragLibrary } from "./useDragLibrary";

/** Makes a column a drop target for cards. Returns whether a card is dragged over it. */
export function useDropTarget(
  column: RefObject<HTMLElement | null>,
  drag: DragLibrary | undefined,
  status: string,
): boolean {
  const [isDraggedOver, setDraggedOver] = useState(false);
  useEffect(() => {
    if (!drag || !column.current) return;
    return drag.dropTargetForElements({
      element: column.current,
      getData: ({ input, element, source }) => ({
        status,
        after: cardAbove(element, source.data.task, input.clientY),
      }),
      onDragEnter: () => setDraggedOver(true),
      onDragLeave: () => setDraggedOver(false),
      onDrop: () => setDraggedOver(false),
    });
  }, [drag, column, status]);
  return isDraggedOver;
}

/**
 * Returns the card that a drop at this height would put the dragged one below.
 * @param height in pixels of the viewport
 */
function cardAbove(column: Element, dragged: unknown, height: number): string | undefined {
  let above: string | undefined;
  for (const card of column.querySelectorAll<HTMLElement>("[data-task]")) {
    if (card.dataset.task === dragged) continue;
    const box = card.getBoundingClientRect();
    if (box.top + box.height / 2 > height) break;
    above = card.dataset.task;
  }
  return above;
}
