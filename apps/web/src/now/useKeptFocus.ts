import { type FocusEvent, useEffect, useRef } from "react";

/**
 * Keeps the focus in a list whose lines disappear: when the one with the focus goes, another gets it, or the page.
 * @param ids the lines that are there
 * @param selector the part of a line that gets the focus
 */
export function useKeptFocus<List extends HTMLElement>(ids: readonly string[], selector: string) {
  const list = useRef<List>(null);
  const hadFocus = useRef(false);
  const lines = ids.join();
  useEffect(() => {
    void lines;
    if (!hadFocus.current || document.activeElement !== document.body) return;
    (list.current?.querySelector<HTMLElement>(selector) ?? document.getElementById("main"))?.focus();
  }, [lines, selector]);
  return {
    ref: list,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // A line that disappears takes the focus with it; then nothing else gets it.
      hadFocus.current = relatedTarget === null;
    },
  };
}
