const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const MINUTE = 60_000;
const units = [
  { unit: "day", ms: 24 * 60 * MINUTE },
  { unit: "hour", ms: 60 * MINUTE },
  { unit: "minute", ms: MINUTE },
] as const;

/** Formats a time as "5 minutes ago" or "in 5 minutes". Anything within the last minute is "just now". */
export function formatRelativeTime(time: number, now: number): string {
  const difference = time - now;
  const largest = units.find(({ ms }) => Math.abs(difference) >= ms);
  if (!largest) return difference > 0 ? "within a minute" : "just now";
  // Rounds, so that a week ahead is "in 7 days" even a little later.
  const count = difference > 0 ? Math.round(difference / largest.ms) : Math.trunc(difference / largest.ms);
  return relative.format(count, largest.unit);
}
