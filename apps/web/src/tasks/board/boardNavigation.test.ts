import { expect, it } from "vitest";
import { cardAt } from "./boardNavigation";

const board = [["a1", "a2", "a3"], [], ["c1", "c2"]];

it.each([
  ["a1", "ArrowDown", "a2"],
  ["a2", "ArrowUp", "a1"],
  ["a2", "Home", "a1"],
  ["a1", "End", "a3"],
  ["a2", "ArrowRight", "c2"],
  ["a3", "ArrowRight", "c2"],
  ["c1", "ArrowLeft", "a1"],
  ["a3", "ArrowDown", undefined],
  ["c1", "ArrowRight", undefined],
  ["a1", "ArrowLeft", undefined],
  ["a1", "Enter", undefined],
  ["gone", "ArrowDown", undefined],
])("moves from %s by %s to %s", (id, key, next) => {
  expect(cardAt(board, id, key)).toBe(next);
});
