import { useSyncExternalStore } from "react";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const MINUTE = 60_000;
const units = [
  { unit: "day", ms: 24 * 60 * MINUTE },
  { unit: "hour", ms: 60 * MINUTE },
  { unit: "minute", ms: MINUTE },
] as const;

/** "5 minutes ago", "in 5 minutes". The past minute is "just now". */
export function since(then: number, now: number): string {
  const passed = then - now;
  const largest = units.find(({ ms }) => Math.abs(passed) >= ms);
  if (!largest) return passed > 0 ? "within a minute" : "just now";
  // A week ahead is "in 7 days" also when some of it has passed.
  const count = passed > 0 ? Math.round(passed / largest.ms) : Math.trunc(passed / largest.ms);
  return relative.format(count, largest.unit);
}

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of the page. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, MINUTE / 4);
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
