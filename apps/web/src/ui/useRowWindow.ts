import { type RefObject, type UIEvent, useEffect, useState } from "react";

/** The height of a row in pixels. */
export const ROW_PX = 28;
/** The number of rows that are rendered above and below the visible ones. */
const OVERSCAN = 10;

/**
 * Virtualizes a list of rows of equal height.
 * @param at the row to keep in view; -1 for none
 * @returns the rendered rows, and the props of the list's box and of the rows' parent
 */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number, at: number) {
  const [viewport, setViewport] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const { current: node } = box;
    if (!node || at < 0) return;
    const top = at * ROW_PX;
    if (top < node.scrollTop) node.scrollTop = Math.max(0, top - ROW_PX);
    else if (top + ROW_PX > node.scrollTop + node.clientHeight)
      node.scrollTop = top + 2 * ROW_PX - node.clientHeight;
  }, [box, at]);
  const first = Math.max(0, Math.floor(viewport.top / ROW_PX) - OVERSCAN);
  const last = Math.min(count, Math.ceil((viewport.top + viewport.height) / ROW_PX) + OVERSCAN);
  return {
    first,
    last,
    onScroll: ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLElement>) =>
      setViewport({ top: scrollTop, height: clientHeight }),
    style: { paddingTop: first * ROW_PX, paddingBottom: Math.max(0, count - last) * ROW_PX },
  };
}
