import { useSyncExternalStore } from "react";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const MINUTE = 60_000;
const units = [
  { unit: "day", ms: 24 * 60 * MINUTE },
  { unit: "hour", ms: 60 * MINUTE },
  { unit: "minute", ms: MINUTE },
] as const;

/** "5 minutes ago". Everything within a minute is "just now". */
function since(then: number, now: number): string {
  const passed = then - now;
  const largest = units.find(({ ms }) => Math.abs(passed) >= ms);
  return largest ? relative.format(Math.trunc(passed / largest.ms), largest.unit) : "just now";
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

/** A relative time that stays right, with the absolute one as its title. */
export function Time({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={absolute.format(then)}>
      {since(then, Math.max(current, then))}
    </time>
  );
}
