import { useState } from "react";

const KEY = "grove.diff";

/** The user's preferences for diffs, shared by all workspaces. */
export interface Settings {
  layout: "unified" | "split";
  wrap: boolean;
}

function read(): Settings {
  const stored = localStorage.getItem(KEY) ?? "";
  return { layout: stored.includes("split") ? "split" : "unified", wrap: stored.includes("wrap") };
}

export function useSettings(): [Settings, (change: Partial<Settings>) => void] {
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
