import type { DiffFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { noteOf } from "./fileLabels";

const file = (change: Partial<DiffFile>): DiffFile => ({
  path: "current",
  oldPath: null,
  status: "modified",
  insertions: 1,
  deletions: 1,
  binary: false,
  oldMode: "100644",
  mode: "100644",
  blob: null,
  patch: null,
  omitted: null,
  ...change,
});
const LINK = "120000";
const SUBMODULE = "160000";
const end = "\\ No newline at end of file\n";

it.each<[string | undefined, Partial<DiffFile>]>([
  [undefined, { patch: "@@ -1 +1 @@\n-a\n+b\n" }],
  ["Symbolic link to src.", { oldMode: null, mode: LINK, patch: `@@ -0,0 +1 @@\n+src\n${end}` }],
  ["Symbolic link to a⟨RLO⟩b.", { oldMode: null, mode: LINK, patch: `@@ -0,0 +1 @@\n+a\u202eb\n${end}` }],
  [
    "Symbolic link to new, before to old.",
    { oldMode: LINK, mode: LINK, patch: `@@ -1 +1 @@\n-old\n${end}+new\n${end}` },
  ],
  ["Symbolic link to old.", { oldMode: LINK, mode: null, patch: `@@ -1 +0,0 @@\n-old\n${end}` }],
  [
    "Submodule, from 11111111 to 22222222.",
    {
      oldMode: SUBMODULE,
      mode: SUBMODULE,
      patch: `@@ -1 +1 @@\n-Subproject commit ${"1".repeat(40)}\n+Subproject commit ${"2".repeat(40)}\n`,
    },
  ],
  [
    "Submodule at 22222222.",
    { oldMode: null, mode: SUBMODULE, patch: `@@ -0,0 +1 @@\n+Subproject commit ${"2".repeat(40)}\n` },
  ],
  ["Mode changed from regular file to symbolic link.", { mode: LINK, patch: "@@ -1 +1 @@\n-a\n+b\n" }],
])("notes %j", (note, change) => {
  expect(noteOf(file(change))).toBe(note);
});
