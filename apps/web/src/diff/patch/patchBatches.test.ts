import type { DiffFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { batchesOf } from "./patchBatches";

const file = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  oldPath: null,
  status: "modified",
  insertions: 1,
  deletions: 0,
  binary: false,
  oldMode: "100644",
  mode: "100644",
  blob: "1",
  patch: null,
  omitted: null,
  ...more,
});
const sizes = (files: DiffFile[]) => batchesOf(files).map((batch) => batch.length);

it("contains only files with lines, in their order", () => {
  const files = [
    file("a"),
    file("picture", { binary: true }),
    file("huge", { omitted: "too_large" }),
    file("mode", { insertions: 0 }),
    file("b"),
  ];
  expect(batchesOf(files).map((batch) => batch.map(({ path }) => path))).toEqual([["a", "b"]]);
  expect(batchesOf([])).toEqual([]);
});

it("begins with a small batch, and limits all others", () => {
  const files = Array.from({ length: 30 }, (_, n) => file(String(n), { insertions: 400 }));
  expect(sizes(files)).toEqual([1, 10, 10, 9]);
  expect(sizes([file("a"), file("large", { insertions: 9_000 }), file("b")])).toEqual([1, 1, 1]);
  expect(sizes(Array.from({ length: 250 }, (_, n) => file(String(n))))).toEqual([100, 100, 50]);
});
