import { useLayoutEffect, useRef } from "react";

/**
 * For windows above the page: where the focus goes when one closes. That is where it was, or the page if that is gone.
 * @param open whether the window is open
 */
export function useFocusBack(open: boolean): () => HTMLElement | null {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return () => {
    const { current } = opener;
    const isThere = current instanceof HTMLElement && current !== document.body && current.isConnected;
    return isThere ? current : document.querySelector("main");
  };
}
