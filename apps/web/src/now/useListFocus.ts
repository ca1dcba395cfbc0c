import { type FocusEvent, useEffect, useRef } from "react";

/**
 * Keeps the focus in a list whose lines disappear. When the focused line is removed, focuses another one, or `main`.
 * @param ids ids of the rendered lines
 * @param selector the focusable element of a line
 */
export function useListFocus<List extends HTMLElement>(ids: readonly string[], selector: string) {
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
      // Removing the focused line blurs it without a related target.
      hadFocus.current = relatedTarget === null;
    },
  };
}
