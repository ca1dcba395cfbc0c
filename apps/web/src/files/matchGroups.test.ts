import { expect, it } from "vitest";
import { matchGroups, splitAtMatches } from "./matchGroups";

it("groups the matches by file", () => {
  const match = (path: string, line: number) => ({ path, line, text: "" });
  expect(matchGroups([match("a", 1), match("b", 2), match("a", 3)])).toEqual([
    { path: "a", matches: [match("a", 1), match("a", 3)] },
    { path: "b", matches: [match("b", 2)] },
  ]);
});

it("splits a line at its matches", () => {
  expect(splitAtMatches("One two ONE.", "one")).toEqual(["", "One", " two ", "ONE", "."]);
  expect(splitAtMatches("none", "x")).toEqual(["none"]);
  expect(splitAtMatches("İx", "x")).toEqual(["İx"]);
  expect(splitAtMatches("aaa", "aa")).toEqual(["", "aa", "a"]);
});
