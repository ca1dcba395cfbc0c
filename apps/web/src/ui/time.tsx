import { useSyncExternalStore } from "react";
import { formatRelativeTime } from "./relativeTime";

const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Subscribes to a timer that all times on the page share. */
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
  /** Whether it may be in the future. If not, a future time is due to clock skew and shown as "just now". */
  allowFuture?: boolean;
}

/** A relative time that keeps itself current, with the absolute time as tooltip. */
export function Time({ at, allowFuture = false }: TimeProps) {
  const current = useSyncExternalStore(subscribe, () => now);
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={absolute.format(then)}>
      {formatRelativeTime(then, allowFuture ? current : Math.max(current, then))}
    </time>
  );
}
