import { expect, it } from "vitest";
import { fragmentOf, placeIn } from "./address";

const lines = { start: 4, side: "deletions", end: 6, endSide: "additions" } as const;

it.each([
  [{ path: "src/login.ts" }, "#src/login.ts"],
  [{ path: "src/new name#1?.ts" }, "#src/new%20name%231%3F.ts"],
  [{ path: "a:R3" }, "#a%3AR3"],
  [{ path: "100%" }, "#100%25"],
  [{ path: "src/login.ts", lines }, "#src/login.ts:L4-R6"],
  [{ path: "a", lines: { ...lines, end: 4, endSide: "deletions" as const } }, "#a:L4"],
])("reads the fragment of %j again", (place, fragment) => {
  expect(fragmentOf(place)).toBe(fragment);
  expect(placeIn(fragment)).toEqual(place);
});

it("reads what a person types, or a router has decoded", () => {
  expect([placeIn(""), placeIn("#"), placeIn("#100%"), placeIn("#src/new name.ts:R8")]).toEqual([
    undefined,
    undefined,
    { path: "100%" },
    { path: "src/new name.ts", lines: { start: 8, side: "additions", end: 8, endSide: "additions" } },
  ]);
});
