import { useCallback, useRef } from "react";

/** Makes the viewer library's scroll area a focusable region. */
export function useRegion() {
  const node = useRef<HTMLDivElement>(null);
  const region = useCallback((element: HTMLDivElement | null) => {
    node.current = element;
    element?.setAttribute("role", "region");
    element?.setAttribute("aria-label", "Changes");
    element?.setAttribute("tabindex", "0");
  }, []);
  return {
    region,
    isRegion: (target: EventTarget) => target === node.current,
    focusRegion: (options?: FocusOptions) => node.current?.focus(options),
  };
}
