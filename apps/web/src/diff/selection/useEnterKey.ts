import { useEffect, useRef } from "react";
import { onKeys } from "../../ui/inputMethod";

/** Runs an action on Enter, unless the focus is on an element that handles Enter itself. */
export function useEnterKey(action: () => void): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const onKeyDown = onKeys((event: KeyboardEvent) => {
      const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
      if (key !== "Enter" || event.defaultPrevented || repeat || ctrlKey || metaKey || altKey) return;
      if (
        !(target instanceof Element) ||
        target.closest("a, button, input, select, textarea, [role]:not(main, [role=region])")
      )
        return;
      event.preventDefault();
      latest.current();
    });
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
