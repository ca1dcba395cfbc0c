import type { DiffFile, WorkspaceDiff } from "@grove/schemas";
import { expect, it } from "vitest";
import { splitDiff } from "./splitDiff";

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
const answer = (truncated: boolean, files: DiffFile[]): WorkspaceDiff => ({
  base: "main",
  from: "1",
  head: "2",
  files,
  filesTotal: files.length,
  insertions: 4,
  deletions: 0,
  untracked: 0,
  truncated,
});

it("splits an answer into the list without patches, and the patches", () => {
  const read = file("read", { patch: "@@ -0,0 +1 @@\n+a\n" });
  const noLines = { insertions: 0 };
  const first = answer(true, [
    read,
    file("picture", { ...noLines, binary: true }),
    file("mode", { ...noLines, patch: "old mode 100644\nnew mode 100755\n" }),
    file("another mode", { ...noLines, omitted: "no_room" }),
    file("huge", { ...noLines, omitted: "too_large" }),
    file("module", { ...noLines, omitted: "submodule" }),
    file("long", { insertions: 90_000, omitted: "too_large" }),
    file("later", { omitted: "no_room" }),
  ]);
  const list = answer(false, [
    file("read"),
    file("picture", { ...noLines, binary: true }),
    file("mode", noLines),
    file("another mode", noLines),
    file("huge", { ...noLines, omitted: "too_large" }),
    file("module", { ...noLines, omitted: "submodule" }),
    file("long", { insertions: 90_000 }),
    file("later"),
  ]);
  expect(splitDiff(first)).toEqual({ diff: list, patches: [read] });
  expect(splitDiff(list)).toEqual({ diff: list, patches: [] });
});
