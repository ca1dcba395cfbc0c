import { useState } from "react";

const KEY = "grove.diff";

/** The user's preferences for diffs, shared by all workspaces. */
export interface DiffSettings {
  layout: "unified" | "split";
  wrap: boolean;
}

function read(): DiffSettings {
  const stored = localStorage.getItem(KEY) ?? "";
  return { layout: stored.includes("split") ? "split" : "unified", wrap: stored.includes("wrap") };
}

export function useDiffSettings(): [DiffSettings, (change: Partial<DiffSettings>) => void] {
  const [settings, setSettings] = useState(read);
  return [
    settings,
    (change) => {
      const next = { ...settings, ...change };
      localStorage.setItem(KEY, [next.layout, ...(next.wrap ? ["wrap"] : [])].join(" "));
      setSettings(next);
    },
  ];
}
