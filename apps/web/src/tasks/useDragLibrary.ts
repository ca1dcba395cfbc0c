import type * as Library from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useState } from "react";

export type DragLibrary = typeof Library;

/** Loads the drag-and-drop library after the board's first render. */
export function useDragLibrary(): DragLibrary | undefined {
  const [library, setLibrary] = useState<DragLibrary>();
  useEffect(() => {
    let isOver = false;
    void import("@atlaskit/pragmatic-drag-and-drop/element/adapter").then(
      (loaded) => {
        if (!isOver) setLibrary(loaded);
      },
      // Without it, cards can still be moved by keys and menus.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, []);
  return library;
}
