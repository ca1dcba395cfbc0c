import { describe, expect, it } from "vitest";
import { adjacentPosition, cardsAbove, positionOf } from "./boardPosition";

const cards = [
  { status: "todo", ids: ["a", "b", "c"] },
  { status: "doing", ids: [] },
  { status: "done", ids: ["d"] },
];

it("finds a card's position", () => {
  expect(positionOf(cards, "a")).toEqual({ status: "todo", after: undefined });
  expect(positionOf(cards, "c")).toEqual({ status: "todo", after: "b" });
  expect(positionOf(cards, "x")).toBeUndefined();
});

describe("adjacentPosition", () => {
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
    const from = positionOf(cards, id);
    expect(from && adjacentPosition(cards, { id, ...from }, key)).toEqual(expected);
  });

  it("keeps a card's height when it crosses columns, as far as they have cards", () => {
    const columns = [...cards, { status: "late", ids: ["e", "f", "g"] }];
    const held = { id: "c", status: "done", after: "d" };
    expect(adjacentPosition(columns, held, "ArrowRight")).toEqual({ status: "late", after: "e" });
    expect(cardsAbove(columns, held)).toBe(1);
  });
});
