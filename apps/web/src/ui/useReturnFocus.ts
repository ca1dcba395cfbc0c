import { useLayoutEffect, useRef } from "react";

/**
 * For `finalFocus` of a dialog: returns the element that had the focus before it opened, or `main` if that element
 * was removed.
 */
export function useReturnFocus(open: boolean): () => HTMLElement | null {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return () => {
    const { current } = opener;
    const isConnected = current instanceof HTMLElement && current !== document.body && current.isConnected;
    return isConnected ? current : document.querySelector("main");
  };
}
