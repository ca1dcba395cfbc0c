import { expect, it } from "vitest";
import { backoffMs } from "./backoff";

const pauses = (random: () => number) =>
  [1, 2, 3, 4, 5, 10_000].map((failures) => backoffMs(failures, { baseMs: 100, maxMs: 1_000 }, random));

it("doubles the pause after each failure, up to the longest", () => {
  expect(pauses(() => 1)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

it("takes a random part of it", () => {
  expect(pauses(() => 0.5)).toEqual([50, 100, 200, 400, 500, 500]);
  const chosen = Array.from({ length: 100 }, () => backoffMs(1, { baseMs: 1_000, maxMs: 1_000 }));
  expect(new Set(chosen).size).toBeGreaterThan(10);
  expect(Math.max(...chosen)).toBeLessThanOrEqual(1_000);
});
