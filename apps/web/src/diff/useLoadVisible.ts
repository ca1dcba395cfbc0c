import type { DiffFile } from "@grove/schemas";
import { type RefObject, useCallback, useEffect } from "react";
import type { ViewHandle } from "./selection/selectLines";
import type { Patches } from "./usePatches";

interface Layout {
  getHeight(): number;
  getTopForItem(id: string): number | undefined;
}

/**
 * Loads the patches near the viewport after each render.
 * @returns a function that does so after a scroll, and returns the index of the file at the top of the viewport
 */
export function useLoadVisible(
  view: RefObject<ViewHandle | null>,
  files: readonly DiffFile[],
  requestPatches: Patches["requestPatches"],
) {
  const loadVisible = useCallback(
    (top: number, layout: Layout) => {
      const topOf = (index: number) => layout.getTopForItem(files[index]?.path ?? "") ?? 0;
      // Binary search for the last file that begins at or above the top of the viewport.
      let low = 0;
      let high = files.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (topOf(middle) <= top + 1) low = middle;
        else high = middle - 1;
      }
      let end = low;
      while (end < files.length && topOf(end) <= top + 2 * layout.getHeight()) end++;
      requestPatches(files.slice(low, end).map(({ path }) => path));
      return low;
    },
    [files, requestPatches],
  );
  useEffect(() => {
    const layout = view.current?.getInstance();
    if (layout) loadVisible(layout.getScrollTop(), layout);
  });
  return loadVisible;
}
