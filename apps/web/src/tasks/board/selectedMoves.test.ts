import { expect, it } from "vitest";
import { movesOf } from "./selectedMoves";

const cards = [
  { status: "todo", ids: ["a", "b", "c"] },
  { status: "doing", ids: ["d", "e"] },
  { status: "done", ids: [] },
];
const move = (ids: string[], status: string, after?: string) =>
  movesOf(cards, new Set(ids), { status, after }).map(({ id, after }) => [id, after]);

it("puts the cards below one another, in the order of the board", () => {
  expect(move(["e", "a", "c"], "done")).toEqual([
    ["a", undefined],
    ["c", "a"],
    ["e", "c"],
  ]);
  expect(move(["c", "a"], "doing", "d")).toEqual([
    ["a", "d"],
    ["c", "a"],
  ]);
});

it("puts them below the last card that stays, if the card above is moved, too", () => {
  expect(move(["b", "e"], "todo", "b")).toEqual([
    ["b", "a"],
    ["e", "b"],
  ]);
  expect(move(["a", "e"], "todo", "a")).toEqual([
    ["a", undefined],
    ["e", "a"],
  ]);
});

it("keeps the positions for an undo, and ignores cards that are not on the board", () => {
  expect(movesOf(cards, new Set(["c", "gone"]), { status: "done", after: undefined })).toEqual([
    { id: "c", status: "done", after: undefined, from: { status: "todo", after: "b" } },
  ]);
});
