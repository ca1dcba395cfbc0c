import type { DiffFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { changedRows, inTreeOrder, isRowOf } from "./changedTree";

const filesAt = (...paths: string[]) => paths.map((path) => ({ path }) as DiffFile);
const files = inTreeOrder(filesAt("a.ts", "lib/z.ts", "new/dir/deep/b.ts", "src/a.ts", "src/x/y.ts", "z.ts"));
const described = (closed: string[] = []) =>
  changedRows(files, new Set(closed)).map(({ level, name }) => `${level} ${name}`);

it("lists directories before files, and those that contain only one another in one row", () => {
  expect(described()).toEqual([
    ...[
      "1 lib",
      "2 z.ts",
      "1 new/dir/deep",
      "2 b.ts",
      "1 src",
      "2 x",
      "3 y.ts",
      "2 a.ts",
      "1 a.ts",
      "1 z.ts",
    ],
  ]);
  expect(described(["new/dir/deep/", "src/"])).toEqual([
    ...["1 lib", "2 z.ts", "1 new/dir/deep", "1 src", "1 a.ts", "1 z.ts"],
  ]);
  expect(changedRows(files, new Set())[7]).toMatchObject({ parent: "src/", position: 2, siblings: 2 });
});

it("sorts the files as the tree lists them", () => {
  expect(files.map(({ path }) => path)).toEqual(
    changedRows(files, new Set()).flatMap((row) => ("file" in row ? row.file.path : [])),
  );
});

it("finds the row of a file, also in a closed directory", () => {
  const rowOf = (path: string, closed: string[]) =>
    changedRows(files, new Set(closed)).find((row) => isRowOf(row, path))?.key;
  expect(rowOf("src/x/y.ts", [])).toBe("src/x/y.ts");
  expect(rowOf("src/x/y.ts", ["src/x/", "src/"])).toBe("src/");
});

it("lists a file next to a directory that had its name", () => {
  const rows = changedRows(inTreeOrder(filesAt("a", "a/b")), new Set());
  expect(rows.map(({ key }) => key)).toEqual(["a/", "a/b", "a"]);
});
