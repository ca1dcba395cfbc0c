import { expect, it } from "vitest";
import { fragmentOf, parseFragment } from "./urlFragment";

const lines = { start: 4, side: "deletions", end: 6, endSide: "additions" } as const;

it.each([
  [{ path: "src/login.ts" }, "#src/login.ts"],
  [{ path: "src/new name#1?.ts" }, "#src/new%20name%231%3F.ts"],
  [{ path: "a:R3" }, "#a%3AR3"],
  [{ path: "100%" }, "#100%25"],
  [{ path: "src/login.ts", lines }, "#src/login.ts:L4-R6"],
  [{ path: "a", lines: { ...lines, end: 4, endSide: "deletions" as const } }, "#a:L4"],
])("round-trips %j", (location, fragment) => {
  expect(fragmentOf(location)).toBe(fragment);
  expect(parseFragment(fragment)).toEqual(location);
});

it("parses fragments that a user typed, or the router has decoded", () => {
  expect([
    parseFragment(""),
    parseFragment("#"),
    parseFragment("#100%"),
    parseFragment("#src/new name.ts:R8"),
  ]).toEqual([
    undefined,
    undefined,
    { path: "100%" },
    { path: "src/new name.ts", lines: { start: 8, side: "additions", end: 8, endSide: "additions" } },
  ]);
});
