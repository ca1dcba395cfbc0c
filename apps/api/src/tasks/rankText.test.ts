import fc from "fast-check";
import { expect, it } from "vitest";
import { rankBetween, ranksBetween } from "./rankText";

const rank = fc.stringMatching(/^[0-9a-f]{0,40}[1-9a-f]$/);

it("finds a rank between any two, and beyond any one", () => {
  fc.assert(
    fc.property(rank, rank, (one, other) => {
      const [low = "", high = ""] = [one, other].toSorted();
      expect(rankBetween(low, undefined) > low).toBe(true);
      expect(rankBetween(undefined, high) < high).toBe(true);
      if (low === high) return;
      const between = rankBetween(low, high);
      expect(low < between && between < high).toBe(true);
    }),
  );
});

it("stays in order through any moves, and short beyond the first and the last", () => {
  const place = fc.nat({ max: 1_000 });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 200 }), (places) => {
      const order = ["0198a000000070008000000000000000"];
      for (const each of places) {
        const at = each % (order.length + 1);
        order.splice(at, 0, rankBetween(order[at - 1], order[at]));
      }
      expect(order).toEqual([...new Set(order)].toSorted());
    }),
  );
  let [first, last] = ["0198a0", "0198a0"];
  for (let count = 0; count < 1_000; count += 1) {
    first = rankBetween(first, undefined);
    last = rankBetween(undefined, last);
  }
  expect([first, last].map(({ length }) => length)).toEqual([12, 12]);
});

it("spreads many ranks between two, without making them long", () => {
  const ranks = ranksBetween("0198a0", "0198a1", 100);
  expect(ranks).toEqual([...new Set(["0198a0", ...ranks, "0198a1"])].toSorted().slice(1, -1));
  expect(Math.max(...ranks.map(({ length }) => length))).toBeLessThan(11);
});
