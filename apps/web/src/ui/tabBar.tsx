import { type ReactNode, useEffect, useRef } from "react";

interface TabBarProps {
  label: string;
  children: ReactNode;
}

/** How much of the neighbour of the current tab is visible, in pixels. */
const PEEK = 24;

/**
 * A row of tabs, which are links of `tabClass`. Scrolls sideways if it is too long, and keeps the current tab in view.
 * It covers a border of its container.
 */
export function TabBar({ label, children }: TabBarProps) {
  const bar = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>("[aria-current=page]") ?? null;
    // The user may have scrolled since.
    if (!bar.current || !current || current === shown.current) return;
    shown.current = current;
    const { scrollLeft, clientWidth } = bar.current;
    const start = current.offsetLeft - PEEK;
    const end = current.offsetLeft + current.offsetWidth + PEEK;
    // In contrast to `scrollIntoView`, this never scrolls the page.
    if (start < scrollLeft) bar.current.scrollLeft = start;
    else if (end > scrollLeft + clientWidth) bar.current.scrollLeft = end - clientWidth;
  });
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="-mb-px relative flex min-w-0 overflow-x-auto overflow-y-hidden [scrollbar-width:thin]"
    >
      {children}
    </nav>
  );
}
