import { useEffect, useRef } from "react";

/** A key of the console: one table for the handler, the sheet and the palette. */
export interface Shortcut {
  /** "n"; "g d", one after the other; "mod+k", with ⌘ on a Mac and Ctrl elsewhere. */
  keys: string;
  title: string;
  /** Omitted for a key that works only on the element with the focus, which handles it. */
  run?: () => void;
}

export interface Group {
  title: string;
  /** A page's own keys go before those that work everywhere. */
  scope: "page" | "everywhere";
  shortcuts: readonly Shortcut[];
}

const groups = new Set<{ current: Group }>();

/** Makes keys work, and appear in the sheet and the palette, while the component is mounted. */
export function useShortcuts(group: Group): void {
  const latest = useRef(group);
  useEffect(() => {
    latest.current = group;
  });
  useEffect(() => {
    groups.add(latest);
    return () => {
      groups.delete(latest);
    };
  }, []);
}

/** The groups of now, those of the page first. */
export const currentGroups = (): Group[] =>
  [...groups]
    .map(({ current }) => current)
    .toSorted((a, b) => Number(a.scope === "everywhere") - Number(b.scope === "everywhere"));
