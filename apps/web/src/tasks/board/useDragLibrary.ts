import type * as Library from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useState } from "react";

export type DragLibrary = typeof Library;

/** Loads the drag-and-drop library after the board's first render. */
export function useDragLibrary(): DragLibrary | undefined {
  const [library, setLibrary] = useState<DragLibrary>();
  useEffect(() => {
    let isUnmounted = false;
    void import("@atlaskit/pragmatic-drag-and-drop/element/adapter").then(
      (loaded) => {
        if (!isUnmounted) setLibrary(loaded);
      },
      // Without it, cards can still be moved by keys and menus.
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  return library;
}
