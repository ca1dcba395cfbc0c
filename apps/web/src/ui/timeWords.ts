const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

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
