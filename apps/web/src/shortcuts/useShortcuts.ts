import { useEffect, useRef } from "react";

/** A keyboard shortcut, for the key handler, the shortcut sheet and the palette. */
export interface Shortcut {
  /** "n"; "g d" for a sequence; "mod+k", where mod is ⌘ on a Mac and Ctrl elsewhere. */
  keys: string;
  title: string;
  /** Omitted for a key that the focused element handles itself. */
  run?: () => void;
}

/** An action without a key, for the palette. */
type Action = Required<Pick<Shortcut, "title" | "run">>;

export interface Group {
  title: string;
  /** Shortcuts of a page take precedence over those that work everywhere. */
  scope: "page" | "everywhere";
  shortcuts: readonly Shortcut[];
  actions?: readonly Action[];
}

const groups = new Set<{ current: Group }>();

/** Registers shortcuts and actions while the component is mounted. */
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

/** Returns the registered groups, page-scoped ones first. */
export const currentGroups = (): Group[] =>
  [...groups]
    .map(({ current }) => current)
    .toSorted((a, b) => Number(a.scope === "everywhere") - Number(b.scope === "everywhere"));
