import { expect, it } from "vitest";
import { snoozeTimes } from "./snoozeTimes";

/** A time of one day in the user's time zone. */
const at = (hour: number, minute = 0, daysLater = 0) => new Date(2026, 10, 27 + daysLater, hour, minute);

const timesOf = (now: Date, expiresAt: Date) =>
  snoozeTimes({ expiresAt: expiresAt.toISOString() }, now).map(({ title, until }) => [title, until]);

it("offers an hour, three hours, this evening and tomorrow morning, soonest first", () => {
  expect(timesOf(at(10, 30), at(10, 0, 1))).toEqual([
    ["For an hour", at(11, 30)],
    ["For 3 hours", at(13, 30)],
    ["Until this evening", at(18)],
    ["Until tomorrow morning", at(9, 0, 1)],
  ]);
  expect(timesOf(at(16), at(15, 0, 1)).map(([title]) => title)).toEqual([
    "For an hour",
    "Until this evening",
    "For 3 hours",
    "Until tomorrow morning",
  ]);
});

it("offers no evening that has begun or is about to", () => {
  for (const now of [at(17), at(17, 59), at(18), at(23)])
    expect(timesOf(now, at(23, 0, 1)).map(([title]) => title)).not.toContain("Until this evening");
});

it("offers no time after the request expires, but always an hour", () => {
  expect(timesOf(at(10), at(12))).toEqual([["For an hour", at(11)]]);
  expect(timesOf(at(10), at(10, 20))).toEqual([["For an hour", at(11)]]);
  expect(timesOf(at(8), at(8, 30, 1)).map(([title]) => title)).not.toContain("Until tomorrow morning");
});
