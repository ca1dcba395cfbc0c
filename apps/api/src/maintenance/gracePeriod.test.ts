import { expect, it } from "vitest";
import { GracePeriod } from "./gracePeriod";

const at = (seconds: number, database = seconds) => ({
  steadyMs: performance.now() + seconds * 1_000,
  databaseMs: database * 1_000,
});

it("ends after its time", () => {
  const grace = new GracePeriod(60_000);
  grace.begin();
  expect(grace.isOver(at(59))).toBe(false);
  expect(grace.isOver(at(61))).toBe(true);
});

it("begins again when the database's clock was set back", () => {
  const grace = new GracePeriod(60_000);
  expect(grace.isOver(at(0))).toBe(true);
  expect(grace.isOver(at(10, -3_600))).toBe(false);
  expect(grace.isOver(at(61, -3_549))).toBe(true);
});

it("is longer by as much as the database's clock was set forward", () => {
  const grace = new GracePeriod(60_000);
  expect(grace.isOver(at(0))).toBe(true);
  expect(grace.isOver(at(10, 610))).toBe(false);
  expect(grace.isOver(at(640, 1_240))).toBe(false);
  expect(grace.isOver(at(661, 1_261))).toBe(true);
});

it("is longer by an hour at most, the longest time-out of a command", () => {
  const grace = new GracePeriod(60_000);
  expect(grace.isOver(at(0))).toBe(true);
  const days = 60 * 86_400;
  expect(grace.isOver(at(10, days))).toBe(false);
  expect(grace.isOver(at(3_600, days + 3_590))).toBe(false);
  expect(grace.isOver(at(3_661, days + 3_651))).toBe(true);
});

it("does not take a slow database or a drifting clock for a step", () => {
  const grace = new GracePeriod(60_000);
  expect(grace.isOver(at(0))).toBe(true);
  expect(grace.isOver(at(10, 35))).toBe(true);
  expect(grace.isOver(at(20, 60))).toBe(true);
});
