import { type RefObject, useLayoutEffect, useRef } from "react";

/** Returns a ref for a button that disappears when its work is done. A focused one passes the focus to `main`. */
export function useReleaseFocus(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current && current === document.activeElement) document.querySelector("main")?.focus();
    };
  }, []);
  return button;
}
