import { describe, expect, it } from "vitest";
import { withItem, withoutItem } from "./merge";

const itemOf = (fields: { id: string; title?: string; updatedAt?: string }) => ({
  title: fields.id,
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...fields,
});
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const versions = [1, 2, 3].map((second) =>
  itemOf({ id: "a", title: `version ${second}`, updatedAt: at(second) }),
);

/** Every order of some things. */
const orders = <Item>(items: Item[]): Item[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe("withItem", () => {
  it("ends with the newest version, in any order and with duplicates", () => {
    for (const events of orders([...versions, ...versions.slice(1)])) {
      const items = events.reduce((known, item) => withItem(known, item, true), [itemOf({ id: "b" })]);
      expect(items.map(({ title }) => title)).toEqual(["b", "version 3"]);
    }
  });

  it("takes an item out that does not pass the filter any more", () => {
    const [first, second] = versions;
    if (!first || !second) throw new Error("there are three");
    expect(withItem([first], second, false)).toEqual([]);
    expect(withItem([second], first, false)).toEqual([second]);
    expect(withItem([], first, false)).toEqual([]);
  });
});

it("takes a deleted item out once", () => {
  const items = [itemOf({ id: "a" }), itemOf({ id: "b" })];
  expect(withoutItem(items, "a").map(({ id }) => id)).toEqual(["b"]);
  expect(withoutItem(items, "c")).toBe(items);
});
