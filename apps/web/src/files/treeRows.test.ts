import type { ListedFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { ancestorsOf, type Listing, type TreeRow, treeAction, treeRows } from "./treeRows";

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
  expect(deep).toMatchObject({ position: 1, siblings: 2, isOpen: false });
});

it.each([
  ["src", "ArrowDown", { moveTo: "src/deep" }],
  ["src", "ArrowUp", { moveTo: "src" }],
  ["src", "ArrowRight", { moveTo: "src/deep" }],
  ["src", "ArrowLeft", { toggle: "src" }],
  ["src/deep", "ArrowRight", { toggle: "src/deep" }],
  ["src/deep", "ArrowLeft", { moveTo: "src" }],
  ["src/b.ts", "Enter", { openFile: "src/b.ts" }],
  ["src", "Enter", { toggle: "src" }],
  ["link", " ", { openFile: "link" }],
  ["a.txt", "ArrowLeft", undefined],
  ["a.txt", "ArrowRight", undefined],
  ["a.txt", "Home", { moveTo: "src" }],
  ["a.txt", "End", { moveTo: "/ truncated" }],
  ["a.txt", "x", undefined],
  ["unknown", "ArrowDown", { moveTo: "src/deep" }],
])("at %s, %s does %o", (active, key, action) => {
  expect(treeAction(treeRows(listings, new Set(["src"])), active, key)).toEqual(action);
});

it("lists a failed directory again by Enter", () => {
  const rows = treeRows(new Map([["", { error: new Error("gone") }]]), new Set());
  expect(treeAction(rows, "/ failed", "Enter")).toEqual({ retry: "" });
});

it("names the directories above a path", () => {
  expect(ancestorsOf("a/b/c.ts")).toEqual(["", "a", "a/b"]);
  expect(ancestorsOf("c.ts")).toEqual([""]);
});
