import { expect, it } from "vitest";
import { expiredPoints } from "./retention";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 30, 12);

const point = (at: number) => ({ at });

it("all points of a week are kept, then the newest of each day, for 30 days", () => {
  const recent = [point(NOW - 6 * DAY), point(NOW - 6 * DAY - HOUR), point(NOW - HOUR)];
  const [late, early] = [point(NOW - 10 * DAY), point(NOW - 10 * DAY - HOUR)];
  const old = point(NOW - 31 * DAY);
  expect(expiredPoints([...recent, early, late, old], NOW)).toEqual([early, old]);
});

it("of more than 200 points in a week the oldest go, except the newest of their day", () => {
  const today = Array.from({ length: 205 }, (_, index) => point(NOW - index * 60_000));
  expect(expiredPoints([...today, point(NOW - 2 * DAY)], NOW)).toEqual(today.slice(200));
});

it("the newest point is kept at any age", () => {
  expect(expiredPoints([point(NOW - 400 * DAY), point(NOW - 401 * DAY)], NOW)).toEqual([
    point(NOW - 401 * DAY),
  ]);
});
