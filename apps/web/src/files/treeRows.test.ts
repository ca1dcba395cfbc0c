import type { ListedFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { ancestorsOf, type Listing, type TreeRow, treeRows } from "./treeRows";

const entry = (name: string, kind: ListedFile["kind"] = "file"): ListedFile => ({
  name,
  kind,
  size: kind === "file" ? 1 : null,
  ignored: false,
});
const listings = new Map<string, Listing>([
  ["", { entries: [entry("src", "directory"), entry("a.txt"), entry("link", "link")], truncated: true }],
  ["src", { entries: [entry("deep", "directory"), entry("b.ts")] }],
  ["src/deep", { error: new Error("gone") }],
]);
const described = (rows: TreeRow[]) =>
  rows.map((row) => `${row.level} ${"path" in row ? row.path : row.note}`);

it("lists the entries of the open directories below them, and what is missing", () => {
  expect(described(treeRows(new Map(), new Set()))).toEqual(["1 loading"]);
  expect(described(treeRows(new Map([["", { entries: [] }]]), new Set()))).toEqual(["1 empty"]);
  expect(described(treeRows(listings, new Set(["src", "src/deep"])))).toEqual([
    ...["1 src", "2 src/deep", "3 failed", "2 src/b.ts", "1 a.txt", "1 link", "1 truncated"],
  ]);
  const [, deep] = treeRows(listings, new Set(["src"]));
  expect(deep).toMatchObject({ parent: "src", position: 1, siblings: 2, isOpen: false });
});

it("names the directories above a path", () => {
  expect(ancestorsOf("a/b/c.ts")).toEqual(["", "a", "a/b"]);
  expect(ancestorsOf("c.ts")).toEqual([""]);
});
