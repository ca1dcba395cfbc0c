import type { AgentSession } from "@grove/schemas";
import { useSyncExternalStore } from "react";
import { isReported, waitsForInput } from "./sessionActivity";

const KEY = "grove.dismissedSessions";
const changes = new EventTarget();

let parsed: { text: string | null; ids: ReadonlySet<string> } = { text: null, ids: new Set() };

/** Returns the stored ids, as the same set until they change. */
function dismissedIds(): ReadonlySet<string> {
  const text = localStorage.getItem(KEY);
  if (text !== parsed.text) parsed = { text, ids: new Set(text?.split(" ")) };
  return parsed.ids;
}

function store(ids: readonly string[]): void {
  if (ids.length === 0) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, ids.join(" "));
  changes.dispatchEvent(new Event("change"));
}

function subscribe(listener: () => void): () => void {
  changes.addEventListener("change", listener);
  addEventListener("storage", listener);
  return () => {
    changes.removeEventListener("change", listener);
    removeEventListener("storage", listener);
  };
}

/** The sessions that the user dismissed in this browser. Each is dismissed until it stops waiting. */
export const useDismissedSessions = (): ReadonlySet<string> => useSyncExternalStore(subscribe, dismissedIds);

export const dismissSession = (id: string): void => store([...dismissedIds(), id]);

/** Whether only the terminal suggests that a session waits, such as a shell at its prompt. */
export const isGuessedWait = ({ activity }: Pick<AgentSession, "activity">): boolean =>
  activity === null || !isReported(activity);

/** Whether a waiting session is dismissed. One whose agent reports that it needs the user never is. */
export const isDismissed = (
  session: Pick<AgentSession, "id" | "activity">,
  dismissed: ReadonlySet<string>,
): boolean => dismissed.has(session.id) && isGuessedWait(session);

/** Forgets the dismissed sessions that have ended or no longer wait. */
export function forgetContinuedSessions(running: readonly AgentSession[]): void {
  const before = dismissedIds();
  const waiting = new Set(running.filter(waitsForInput).map(({ id }) => id));
  const ids = [...before].filter((id) => waiting.has(id));
  if (ids.length < before.size) store(ids);
}
