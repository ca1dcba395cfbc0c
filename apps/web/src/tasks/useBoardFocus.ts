import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { cardAt } from "./boardNavigation";

/**
 * Keeps the focus on a card that moves to another column, where React creates a new element. When a card
 * disappears, focuses its neighbour.
 * @param ids the rendered cards, by column
 * @returns the ref of the board, and the card that is its tab stop
 */
export function useBoardFocus<Board extends HTMLElement>(ids: string[][]) {
  const board = useRef<Board>(null);
  const focused = useRef<string>(undefined);
  const before = useRef(ids);
  const [last, setLast] = useState<string>();
  const all = ids.flat();

  useEffect(() => {
    const follow = ({ target }: Event) => {
      const isInside = target instanceof Element && board.current?.contains(target);
      focused.current = isInside ? target.closest<HTMLElement>("[data-task]")?.dataset.task : undefined;
      if (focused.current !== undefined) setLast(focused.current);
    };
    document.addEventListener("focusin", follow);
    document.addEventListener("pointerdown", follow);
    return () => {
      document.removeEventListener("focusin", follow);
      document.removeEventListener("pointerdown", follow);
    };
  }, []);

  useLayoutEffect(() => {
    const known = before.current;
    before.current = ids;
    const id = focused.current;
    if (id === undefined || document.activeElement !== document.body) return;
    const next = ids.flat().includes(id)
      ? id
      : (["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"]
          .map((key) => cardAt(known, id, key))
          .find((one) => one !== undefined) ?? ids.flat()[0]);
    board.current?.querySelector<HTMLElement>(`[data-task="${next}"] a`)?.focus({ preventScroll: true });
  });
  return { board, stop: last !== undefined && all.includes(last) ? last : all[0] };
}
