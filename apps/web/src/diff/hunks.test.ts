import { expect, it } from "vitest";
import { hunksOf, rowsFor } from "./hunks";

it("leaves out the header, whatever it calls the file", () => {
  const patch =
    'diff --git "a/@@ x" "b/@@ x"\nindex 1..2 100644\n--- "a/@@ x"\n+++ "b/@@ x"\n@@ -1,2 +1,2 @@ here\n one\n-two\n+three\n';
  expect(hunksOf(patch)).toBe("@@ -1,2 +1,2 @@ here\n one\n-two\n+three\n");
  expect(hunksOf("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n")).toBe("");
  expect(hunksOf("")).toBe("");
});

it("shows the end of a file and the beginning of the link in its place", () => {
  const patch = [
    "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n",
    "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/target\n\\ No newline at end of file\n",
  ].join("");
  expect(hunksOf(patch)).toBe("@@ -1,2 +1,1 @@\n-one\n-two\n+/target\n\\ No newline at end of file\n");
});

it("holds the place of lines that are to come, within bounds", () => {
  expect(rowsFor({ insertions: 2, deletions: 1 })).toBe("@@ -1,3 +1,3 @@\n \n \n \n");
  expect(rowsFor({ insertions: 900_000, deletions: 0 }).length).toBeLessThan(5_000);
});
