import type { DiffFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { rowsOf } from "./fileRows";

it("puts a directory above its files, and keeps the order of the files", () => {
  const files = ["a.ts", "lib/z.ts", "src/a.ts", "src/deep/b.ts", "z.ts"].map(
    (path) => ({ path }) as DiffFile,
  );
  expect(rowsOf(files).map((row) => ("file" in row ? `${row.index} ${row.name}` : row.directory))).toEqual([
    ...["0 a.ts", "lib/", "1 z.ts", "src/", "2 a.ts", "src/deep/", "3 b.ts", "./", "4 z.ts"],
  ]);
});
