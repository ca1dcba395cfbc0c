import { expect, it } from "vitest";
import type { Line } from "../patch/diffLines";
import { commentFile, commentRange } from "./commentRange";

const lines: Line[] = [
  { sign: " ", text: "a", before: 1, after: 1 },
  { sign: "-", text: "b", before: 2, after: undefined },
  { sign: "-", text: "c", before: 3, after: undefined },
  { sign: "+", text: "d", before: undefined, after: 2 },
];

it("counts lines after the change, in either direction of the selection", () => {
  expect(commentRange("a.ts", lines, [0, 3])).toEqual({ path: "a.ts", side: "after", from: 1, to: 2 });
  expect(commentRange("a.ts", lines, [3, 1])).toEqual({ path: "a.ts", side: "after", from: 2, to: 2 });
});

it("counts removed lines as before the change", () => {
  expect(commentRange("a.ts", lines, [2, 1])).toEqual({ path: "a.ts", side: "before", from: 2, to: 3 });
});

it("comments on a deleted file as before the change", () => {
  expect(commentFile({ path: "a.ts", status: "deleted" })).toEqual({ path: "a.ts", side: "before" });
  expect(commentFile({ path: "a.ts", status: "renamed" })).toEqual({ path: "a.ts", side: "after" });
});
