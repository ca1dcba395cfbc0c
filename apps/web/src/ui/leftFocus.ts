import { type RefObject, useLayoutEffect, useRef } from "react";

/** For a button that disappears once its work is done. If it has the focus then, the page gets it. */
export function useLeftFocus(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current && current === document.activeElement) document.querySelector("main")?.focus();
    };
  }, []);
  return button;
}
