import { expect, it } from "vitest";
import type { Line } from "../patch/diffLines";
import { find, nextMatch } from "./find";

const files: Record<string, string[]> = { a: ["Login", "other", "login()"], b: [], c: ["LOGIN"] };
const linesOf = (path: string) =>
  (files[path] ?? []).map((text, at): Line => ({ sign: " ", text, before: at, after: at }));
const matches = find(["a", "b", "c"], linesOf, "login");

it("is case-insensitive, and keeps the order of the files", () => {
  expect(matches).toEqual([
    { path: "a", at: 0 },
    { path: "a", at: 2 },
    { path: "c", at: 0 },
  ]);
  expect(find(["a"], linesOf, "")).toEqual([]);
});

it("wraps around, and starts over from a line that no longer matches", () => {
  expect(nextMatch(matches, undefined, 1)).toEqual(matches[0]);
  expect(nextMatch(matches, matches[1], 1)).toEqual(matches[2]);
  expect(nextMatch(matches, matches[2], 1)).toEqual(matches[0]);
  expect(nextMatch(matches, matches[0], -1)).toEqual(matches[2]);
  expect(nextMatch(matches, { path: "b", at: 9 }, -1)).toEqual(matches[2]);
  expect(nextMatch([], undefined, 1)).toBeUndefined();
});
