import { useSyncExternalStore } from "react";
import { since } from "./timeWords";

const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of the page. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface TimeProps {
  at: string;
  /** It may lie ahead. Otherwise a time ahead is due to a clock that is wrong. */
  mayBeAhead?: boolean;
}

/** A relative time that stays right, with the absolute one as its title. */
export function Time({ at, mayBeAhead = false }: TimeProps) {
  const current = useSyncExternalStore(subscribe, () => now);
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={absolute.format(then)}>
      {since(then, mayBeAhead ? current : Math.max(current, then))}
    </time>
  );
}
