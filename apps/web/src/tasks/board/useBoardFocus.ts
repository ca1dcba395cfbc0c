import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { onKeys } from "../../ui/inputMethod";
import { cardAt, steps } from "./boardNavigation";

/**
 * Keeps the focus on a card that moves to another column, where React creates a new element. When a card
 * disappears, focuses its neighbour. The first arrow key focuses a card.
 * @param ids the rendered cards, by column
 * @returns the ref of the board, and the id of the card that is its tab stop
 */
export function useBoardFocus<Board extends HTMLElement>(ids: string[][]) {
  const board = useRef<Board>(null);
  const focused = useRef<string>(undefined);
  const previousIds = useRef(ids);
  const [lastFocused, setLastFocused] = useState<string>();
  const allIds = ids.flat();

  useEffect(() => {
    const trackFocus = ({ target }: Event) => {
      const isInside = target instanceof Element && board.current?.contains(target);
      focused.current = isInside ? target.closest<HTMLElement>("[data-task]")?.dataset.task : undefined;
      if (focused.current !== undefined) setLastFocused(focused.current);
    };
    document.addEventListener("focusin", trackFocus);
    document.addEventListener("pointerdown", trackFocus);
    return () => {
      document.removeEventListener("focusin", trackFocus);
      document.removeEventListener("pointerdown", trackFocus);
    };
  }, []);

  const tabStop = lastFocused !== undefined && allIds.includes(lastFocused) ? lastFocused : allIds[0];
  const focusTabStop = useEffectEvent(() =>
    board.current?.querySelector<HTMLElement>(`[data-task="${tabStop}"] a`)?.focus(),
  );
  useEffect(() => {
    // The first arrow key after the page has opened.
    const focusOnArrowKey = onKeys((event: KeyboardEvent) => {
      const isUnfocused = document.activeElement === document.body || document.activeElement?.id === "main";
      if (!isUnfocused || !steps[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      focusTabStop();
    });
    document.addEventListener("keydown", focusOnArrowKey);
    return () => document.removeEventListener("keydown", focusOnArrowKey);
  }, []);

  useLayoutEffect(() => {
    const before = previousIds.current;
    previousIds.current = ids;
    const id = focused.current;
    if (id === undefined || document.activeElement !== document.body) return;
    const next = allIds.includes(id)
      ? id
      : (["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"]
          .map((key) => cardAt(before, id, key))
          .find((neighbour) => neighbour !== undefined) ?? allIds[0]);
    board.current?.querySelector<HTMLElement>(`[data-task="${next}"] a`)?.focus({ preventScroll: true });
  });
  return { board, tabStop };
}
