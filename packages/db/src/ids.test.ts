import { expect, it } from "vitest";
import { newId } from "./ids";

it("are distinct UUIDs of version 7 with the time, in the order in which they were made", () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, newId);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const time = Number.parseInt((ids[0] ?? "").replace("-", "").slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

it("share nothing beyond their time and order", () => {
  const tails = Array.from({ length: 1_000 }, () => newId().slice(24));
  expect(new Set(tails).size).toBe(tails.length);
});
