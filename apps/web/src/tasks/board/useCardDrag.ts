import { useEffect, useEffectEvent, useState } from "react";
import type { Move } from "./boardPosition";
import type { DragLibrary } from "./useDragLibrary";

/** Tracks a dragged card. Returns the move that a drop would make now. */
export function useCardDrag(drag: DragLibrary | undefined, onDrop: (move: Move) => void): Move | undefined {
  const [dropMove, setDropMove] = useState<Move>();
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    type Event = Parameters<NonNullable<Parameters<DragLibrary["monitorForElements"]>[0]["onDrag"]>>[0];
    const trackDrag = ({ source, location }: Event) => {
      const next = moveOf(source.data, location.current.dropTargets[0]?.data);
      setDropMove((before) => (isSame(before, next) ? before : next));
    };
    return drag?.monitorForElements({
      onDrag: trackDrag,
      onDropTargetChange: trackDrag,
      onDrop: ({ source, location }) => {
        setDropMove(undefined);
        const move = moveOf(source.data, location.current.dropTargets[0]?.data);
        if (move) drop(move);
      },
    });
  }, [drag]);
  return dropMove;
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
