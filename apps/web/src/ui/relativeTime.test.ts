import { expect, it } from "vitest";
import { formatRelativeTime } from "./relativeTime";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 0, 1);

it.each([
  [-10_000, "just now"],
  [-90_000, "1 minute ago"],
  [-(2 * DAY - 1), "yesterday"],
  [10_000, "within a minute"],
  [5 * MINUTE, "in 5 minutes"],
  [7 * DAY - 1, "in 7 days"],
  [90 * DAY - HOUR, "in 90 days"],
])("formats %i ms from now as %s", (ms, words) => {
  expect(formatRelativeTime(now + ms, now)).toBe(words);
});
