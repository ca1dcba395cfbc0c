import { expect, it } from "vitest";
import { makerOf, newId, newIdBy, newMaker } from "./ids";

const maker = newMaker();

it.each([
  ["ids", newId],
  ["ids that name their maker", () => newIdBy(maker)],
])("%s are distinct UUIDs of version 7 with the time, in the order in which they were made", (_, make) => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, make);
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

it("name their maker, and no other", () => {
  expect(makerOf(newIdBy(maker))).toBe(maker);
  expect(new Set([maker, newMaker(), makerOf(newId())]).size).toBe(3);
});
