import { expect, it } from "vitest";
import { nextCursor } from "./nextCursor";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));

it("finds no next page after fewer than 16 items", () => {
  expect(nextCursor([])).toBeUndefined();
  expect(nextCursor(numbers(15).map((id) => ({ id })))).toBeUndefined();
  expect(nextCursor(numbers(16).map((id) => ({ id })))).toBe("15");
  expect(nextCursor(numbers(16).map((userId) => ({ userId })))).toBe("15");
});
