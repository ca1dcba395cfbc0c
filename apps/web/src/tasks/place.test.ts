import { describe, expect, it } from "vitest";
import { cardsAbove, placeBeside, placeOf } from "./place";

const cards = [
  { status: "todo", ids: ["a", "b", "c"] },
  { status: "doing", ids: [] },
  { status: "done", ids: ["d"] },
];

it("finds the place where a card stands", () => {
  expect(placeOf(cards, "a")).toEqual({ status: "todo", after: undefined });
  expect(placeOf(cards, "c")).toEqual({ status: "todo", after: "b" });
  expect(placeOf(cards, "x")).toBeUndefined();
});

describe("placeBeside", () => {
  it.each([
    ["b", "ArrowUp", { status: "todo", after: undefined }],
    ["b", "ArrowDown", { status: "todo", after: "c" }],
    ["a", "ArrowUp", undefined],
    ["c", "ArrowDown", undefined],
    ["a", "ArrowLeft", undefined],
    ["c", "ArrowRight", { status: "doing", after: undefined }],
    ["d", "ArrowRight", undefined],
    ["d", "ArrowLeft", { status: "doing", after: undefined }],
    ["d", "x", undefined],
  ])("moves %s by %s", (id, key, expected) => {
    const from = placeOf(cards, id);
    expect(from && placeBeside(cards, { id, ...from }, key)).toEqual(expected);
  });

  it("keeps the height of a card on its way over the columns, as far as they have cards", () => {
    const columns = [...cards, { status: "late", ids: ["e", "f", "g"] }];
    const held = { id: "c", status: "done", after: "d" };
    expect(placeBeside(columns, held, "ArrowRight")).toEqual({ status: "late", after: "e" });
    expect(cardsAbove(columns, held)).toBe(1);
  });
});
