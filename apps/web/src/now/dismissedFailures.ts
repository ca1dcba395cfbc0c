import { useState } from "react";

const KEY = "grove.dismissedFailures";
/** The oldest ids are dropped. Their commands are too old to be shown by then. */
const MAX_IDS = 200;

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Ids of the failures that the user dismissed in this browser. */
export function useDismissedFailures(): [ids: string[], dismiss: (id: string) => void] {
  const [ids, setIds] = useState(stored);
  const dismiss = (id: string) => {
    const next = [...stored(), id].slice(-MAX_IDS);
    localStorage.setItem(KEY, JSON.stringify(next));
    setIds(next);
  };
  return [ids, dismiss];
}
