import { useState } from "react";

const KEY = "grove.putAway";
/** The oldest ids are forgotten; their commands are no news by then. */
const MOST = 200;

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** The things that this browser need not show any more. */
export function usePutAway(): [ids: string[], putAway: (id: string) => void] {
  const [ids, setIds] = useState(stored);
  const putAway = (id: string) => {
    const next = [...stored(), id].slice(-MOST);
    localStorage.setItem(KEY, JSON.stringify(next));
    setIds(next);
  };
  return [ids, putAway];
}
