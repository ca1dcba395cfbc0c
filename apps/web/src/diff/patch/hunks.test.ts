import { expect, it } from "vitest";
import { changesOnlyLineEndings, hunksOf, placeholderRows } from "./hunks";

it("removes the header, for any file name", () => {
  const patch =
    'diff --git "a/@@ x" "b/@@ x"\nindex 1..2 100644\n--- "a/@@ x"\n+++ "b/@@ x"\n@@ -1,2 +1,2 @@ here\n one\n-two\n+three\n';
  expect(hunksOf(patch)).toBe("@@ -1,2 +1,2 @@ here\n one\n-two\n+three\n");
  expect(hunksOf("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n")).toBe("");
  expect(hunksOf("")).toBe("");
});

it("merges the deletion of a file and the link that replaces it", () => {
  const patch = [
    "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n",
    "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/target\n\\ No newline at end of file\n",
  ].join("");
  expect(hunksOf(patch)).toBe("@@ -1,2 +1,1 @@\n-one\n-two\n+/target\n\\ No newline at end of file\n");
});

it("makes a limited number of placeholder rows", () => {
  expect(placeholderRows({ insertions: 2, deletions: 1 })).toBe("@@ -1,3 +1,3 @@\n \n \n \n");
  expect(placeholderRows({ insertions: 900_000, deletions: 0 }).length).toBeLessThan(5_000);
});

it.each([
  ["LF to CRLF", "-one\n-two\n+one\r\n+two\r\n", true],
  ["CRLF to LF", "-one\r\n+one\n", true],
  ["a newline at the end of the file", "-one\n\\ No newline at end of file\n+one\n", true],
  ["a word as well", "-one\n-two\n+one\r\n+three\r\n", false],
  ["spaces at the end", "-one \n+one\r\n", false],
  ["a line more", "-one\n+one\r\n+two\r\n", false],
  ["only new lines", "+one\r\n", false],
])("recognizes that only line endings differ: %s", (_what, lines, expected) => {
  const patch = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n${lines}`;
  expect(changesOnlyLineEndings(patch)).toBe(expected);
});
