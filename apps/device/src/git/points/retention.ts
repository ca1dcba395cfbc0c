import { DAY_MS, RESCUE_DAYS } from "@grove/schemas";

/** How long all restore points of a workspace are kept, and at most how many of them. */
const ALL_DAYS = 7;
const ALL_COUNT = 200;
/** How long one restore point a day is kept. */
const DAILY_DAYS = 30;

interface Dated {
  /** In milliseconds. */
  at: number;
}

/** The restore points of one workspace that are no longer kept. The newest always is. */
export function expiredPoints<T extends Dated>(points: readonly T[], now: number): T[] {
  const days = new Set<number>();
  return [...points]
    .sort((one, other) => other.at - one.at)
    .filter(({ at }, index) => {
      const isNewestOfDay = !days.has(dayOf(at));
      days.add(dayOf(at));
      const ageMs = now - at;
      const isRecent = ageMs <= ALL_DAYS * DAY_MS && index < ALL_COUNT;
      return !(index === 0 || isRecent || (isNewestOfDay && ageMs <= DAILY_DAYS * DAY_MS));
    });
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** When the work of a workspace that was deleted at a time is removed. */
export const rescuedUntil = (at: number): Date => new Date(at + RESCUE_DAYS * DAY_MS);
