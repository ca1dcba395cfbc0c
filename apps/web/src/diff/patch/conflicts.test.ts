import type { DiffFile } from "@grove/schemas";
import { expect, it } from "vitest";
import { conflictsIn } from "./conflicts";

const fileWith = (...lines: string[]) =>
  ({ patch: `@@ -1,1 +1,${lines.length} @@\n${lines.map((line) => `${line}\n`).join("")}` }) as DiffFile;

it("counts the conflicts among the added lines", () => {
  const conflict = ["+<<<<<<< HEAD", "+ours", "+||||||| base", "+=======", "+theirs", "+>>>>>>> main\r"];
  expect(conflictsIn(fileWith(...conflict, " between", ...conflict))).toBe(2);
});

it.each([
  ["a heading", fileWith("+Title", "+=======")],
  ["a conflict that is removed", fileWith("-<<<<<<< HEAD", "-=======", "->>>>>>> main")],
  ["one without its end", fileWith("+<<<<<<< HEAD", "+=======")],
  ["longer lines", fileWith("+<<<<<<<<", "+========", "+>>>>>>>>")],
  ["no patch", { patch: null } as DiffFile],
])("counts no conflict in %s", (_name, file) => {
  expect(conflictsIn(file)).toBe(0);
});
