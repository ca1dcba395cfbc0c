import { describe, expect, it } from "vitest";
import { removeItem, upsertItem } from "./upsert";

const itemOf = (fields: { id: string; title?: string; updatedAt?: string }) => ({
  title: fields.id,
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...fields,
});
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const versions = [1, 2, 3].map((second) =>
  itemOf({ id: "a", title: `version ${second}`, updatedAt: at(second) }),
);

const orders = <Item>(items: Item[]): Item[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe("upsertItem", () => {
  it("ends with the newest version, in any order and with duplicates", () => {
    for (const events of orders([...versions, ...versions.slice(1)])) {
      const items = events.reduce((known, item) => upsertItem(known, item, true), [itemOf({ id: "b" })]);
      expect(items.map(({ title }) => title)).toEqual(["b", "version 3"]);
    }
  });

  it("removes an item that no longer passes the filter", () => {
    const [first, second] = versions;
    if (!first || !second) throw new Error("there are three");
    expect(upsertItem([first], second, false)).toEqual([]);
    expect(upsertItem([second], first, false)).toEqual([second]);
    expect(upsertItem([], first, false)).toEqual([]);
  });
});

it("removes a deleted item", () => {
  const items = [itemOf({ id: "a" }), itemOf({ id: "b" })];
  expect(removeItem(items, "a").map(({ id }) => id)).toEqual(["b"]);
  expect(removeItem(items, "c")).toBe(items);
});
