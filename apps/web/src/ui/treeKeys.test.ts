import { expect, it } from "vitest";
import { type TreeItem, treeAction } from "./treeKeys";

const rows: TreeItem[] = [
  { key: "src", level: 1, parent: undefined, isOpen: true },
  { key: "src/deep", level: 2, parent: "src", isOpen: false },
  { key: "src/b.ts", level: 2, parent: "src" },
  { key: "a.txt", level: 1, parent: undefined },
];

it.each([
  ["src", "ArrowDown", { moveTo: "src/deep" }],
  ["src", "ArrowUp", { moveTo: "src" }],
  ["src", "ArrowRight", { moveTo: "src/deep" }],
  ["src", "ArrowLeft", { toggle: "src" }],
  ["src/deep", "ArrowRight", { toggle: "src/deep" }],
  ["src/deep", "ArrowLeft", { moveTo: "src" }],
  ["src/b.ts", "Enter", { choose: "src/b.ts" }],
  ["src", "Enter", { toggle: "src" }],
  ["a.txt", " ", { choose: "a.txt" }],
  ["a.txt", "ArrowLeft", undefined],
  ["a.txt", "ArrowRight", undefined],
  ["src/b.ts", "Home", { moveTo: "src" }],
  ["src", "End", { moveTo: "a.txt" }],
  ["a.txt", "x", undefined],
  ["unknown", "ArrowDown", { moveTo: "src/deep" }],
])("at %s, %s does %o", (active, key, action) => {
  expect(treeAction(rows, active, key)).toEqual(action);
});
