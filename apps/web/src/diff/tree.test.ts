import { expect, it } from "vitest";
import { byPath } from "./tree";

it("puts directories before the files beside them", () => {
  const paths = ["z.ts", "src/a.ts", "a.ts", "src/deep/b.ts", "lib/z.ts", "src/deep.ts"];
  const sorted = paths.map((path) => ({ path })).toSorted(byPath);
  expect(sorted.map(({ path }) => path)).toEqual([
    "lib/z.ts",
    "src/deep/b.ts",
    "src/a.ts",
    "src/deep.ts",
    "a.ts",
    "z.ts",
  ]);
});
