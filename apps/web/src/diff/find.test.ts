import { expect, it } from "vitest";
import { find, step } from "./find";
import type { Line } from "./lines";

const files: Record<string, string[]> = { a: ["Login", "other", "login()"], b: [], c: ["LOGIN"] };
const linesOf = (path: string) =>
  (files[path] ?? []).map((text, at): Line => ({ sign: " ", text, before: at, after: at }));
const found = find(["a", "b", "c"], linesOf, "login");

it("finds a text in any case, in the order of the files", () => {
  expect(found).toEqual([
    { path: "a", at: 0 },
    { path: "a", at: 2 },
    { path: "c", at: 0 },
  ]);
  expect(find(["a"], linesOf, "")).toEqual([]);
});

it("goes on around the end, and begins anew from a line that is no longer found", () => {
  expect(step(found, undefined, 1)).toEqual(found[0]);
  expect(step(found, found[1], 1)).toEqual(found[2]);
  expect(step(found, found[2], 1)).toEqual(found[0]);
  expect(step(found, found[0], -1)).toEqual(found[2]);
  expect(step(found, { path: "b", at: 9 }, -1)).toEqual(found[2]);
  expect(step([], undefined, 1)).toBeUndefined();
});
