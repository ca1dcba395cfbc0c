import { expect, it } from "vitest";
import { soak } from "./soak";

it("a storm of faults: every command is settled, done at most once, and correctly answered", async () => {
  const { wrong, ends, faults, typed, logs } = await soak({
    seed: 4,
    commands: 100,
    maxFaults: 12,
    expiring: false,
    // Only `pnpm soak` has the time for that.
    without: ["PostgreSQL unreachable for a minute"],
  });
  expect(wrong, `the logs are in ${logs}`).toEqual([]);
  expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(typed).toBeGreaterThan(0);
  expect(Object.keys(faults).length).toBeGreaterThan(3);
});
