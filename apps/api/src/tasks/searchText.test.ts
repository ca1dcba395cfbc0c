import { expect, it } from "vitest";
import { foldForSearch, searchTextOf } from "./searchText";

it.each([
  ["a ligature of 18 characters", "\ufdfa"],
  ["a fraction", "¾"],
  ["a capital that has two characters in small", "İ"],
])("%s does not make a long text longer", (_, character) => {
  expect(searchTextOf("Long", character.repeat(50_000)).length).toBeLessThanOrEqual(50_005);
  expect(foldForSearch(character.repeat(20))).toHaveLength(20 * foldForSearch(character).length);
});

it("a text that does not grow is kept whole", () => {
  const title = "T".repeat(500);
  expect(searchTextOf(title, "É".repeat(50_000))).toBe(`${"t".repeat(500)}\n${"é".repeat(50_000)}`);
});
