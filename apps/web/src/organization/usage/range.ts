import { DAY_MS } from "@grove/schemas";

/** The ranges that a person can choose, in days, with the interval of their plots. */
export const ranges = [
  { value: "7", title: "Last 7 days", interval: "day" },
  { value: "30", title: "Last 30 days", interval: "day" },
  { value: "90", title: "Last 90 days", interval: "week" },
  { value: "365", title: "Last 12 months", interval: "month" },
] as const;

/**
 * Returns the input of the analytics procedures for the days until now. The range ends at the next full hour, so that
 * the queries of one visit are the same, and include what has just happened.
 */
export function rangeInput(days: number, now: number) {
  const hour = DAY_MS / 24;
  const to = Math.ceil((now + 1) / hour) * hour;
  return { from: new Date(to - days * DAY_MS).toISOString(), to: new Date(to).toISOString() };
}

/** The organization and the time that a report is about. */
export interface ReportInput {
  organizationId: string;
  from: string;
  to: string;
}

/** The user's time zone, in which the days of a report begin. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
