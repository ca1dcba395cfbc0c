import type * as Library from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useState } from "react";

export type DragLibrary = typeof Library;

/** Dragging by pointer. It is loaded once the board stands. */
export function useDragLibrary(): DragLibrary | undefined {
  const [library, setLibrary] = useState<DragLibrary>();
  useEffect(() => {
    let isOver = false;
    void import("@atlaskit/pragmatic-drag-and-drop/element/adapter").then(
      (loaded) => {
        if (!isOver) setLibrary(loaded);
      },
      // Keys and menus move cards, too.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, []);
  return library;
}
