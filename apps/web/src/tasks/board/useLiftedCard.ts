import { useEffect, useState } from "react";
import type { Move, Position } from "./boardPosition";

/** A card that is being moved by keyboard, and its original position. */
export interface LiftedCard extends Move {
  from: Position;
}

/** The card that is being moved by keyboard. A click puts it back. */
export function useLiftedCard() {
  const [lifted, setLifted] = useState<LiftedCard>();
  useEffect(() => {
    if (!lifted) return;
    const putBack = () => setLifted(undefined);
    document.addEventListener("pointerdown", putBack);
    return () => document.removeEventListener("pointerdown", putBack);
  }, [lifted]);
  return [lifted, setLifted] as const;
}
