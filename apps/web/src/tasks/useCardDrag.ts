import { useEffect, useEffectEvent, useState } from "react";
import type { Move } from "./boardPosition";
import type { DragLibrary } from "./useDragLibrary";

/** Tracks a dragged card. Returns the move that a drop would make now. */
export function useCardDrag(drag: DragLibrary | undefined, onDrop: (move: Move) => void): Move | undefined {
  const [over, setOver] = useState<Move>();
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    type Event = Parameters<NonNullable<Parameters<DragLibrary["monitorForElements"]>[0]["onDrag"]>>[0];
    const follow = ({ source, location }: Event) => {
      const next = moveOf(source.data, location.current.dropTargets[0]?.data);
      setOver((known) => (isSame(known, next) ? known : next));
    };
    return drag?.monitorForElements({
      onDrag: follow,
      onDropTargetChange: follow,
      onDrop: ({ source, location }) => {
        setOver(undefined);
        const move = moveOf(source.data, location.current.dropTargets[0]?.data);
        if (move) dropped(move);
      },
    });
  }, [drag]);
  return over;
}

type Data = Record<string | symbol, unknown>;

function moveOf({ task }: Data, target: Data | undefined): Move | undefined {
  if (typeof task !== "string" || typeof target?.status !== "string") return undefined;
  return {
    id: task,
    status: target.status,
    after: typeof target.after === "string" ? target.after : undefined,
  };
}

const isSame = (a: Move | undefined, b: Move | undefined): boolean =>
  a?.id === b?.id && a?.status === b?.status && a?.after === b?.after;

/**
 * Returns the card that a drop at this height would put the dragged one below.
 * @param height in pixels of the viewport
 */
export function cardAbove(column: Element, dragged: unknown, height: number): string | undefined {
  let above: string | undefined;
  for (const card of column.querySelectorAll<HTMLElement>("[data-task]")) {
    if (card.dataset.task === dragged) continue;
    const box = card.getBoundingClientRect();
    if (box.top + box.height / 2 > height) break;
    above = card.dataset.task;
  }
  return above;
}
