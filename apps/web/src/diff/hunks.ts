import type { DiffFile } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";

/** Names may hold anything, so the viewer's parser reads this header instead of git's. */
export const HEADER = "diff --git a/file b/file\n--- a/file\n+++ b/file\n";

/** The hunks of a patch. A file that became a link, or the reverse, has one patch for its end and one for the rest. */
export function hunksOf(patch: string): string {
  const parts = patch.split(/^(?=diff --git )/m).map((part) => {
    const start = part.search(/^@@ /m);
    return start < 0 ? "" : part.slice(start);
  });
  if (parts.length < 2) return parts.join("");
  const bodies = parts.map((part) => part.slice(part.indexOf("\n") + 1));
  const count = (sign: string) =>
    bodies
      .join("")
      .split("\n")
      .filter((line) => line.startsWith(sign)).length;
  return `@@ -1,${count("-")} +1,${count("+")} @@\n${bodies.join("")}`;
}

/** Whether the removed and the added lines of a patch are the same but for carriage returns at their ends. */
export function changesOnlyLineEndings(patch: string): boolean {
  const lines = hunksOf(patch).split("\n");
  const textOf = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1).replace(/\r+$/, ""));
  const removed = textOf("-");
  const added = textOf("+");
  return removed.length > 0 && removed.length === added.length && removed.join("\n") === added.join("\n");
}

/** Rows that are as high as the lines of a file that are still to come, so that nothing moves when they do. */
export const rowsFor = ({ insertions, deletions }: Pick<DiffFile, "insertions" | "deletions">): string => {
  const rows = Math.min(insertions + deletions, MOST_ROWS);
  return `@@ -1,${rows} +1,${rows} @@\n${" \n".repeat(rows)}`;
};
const MOST_ROWS = 2_000;

/** The first changed line of each hunk, and the side that it is on. */
export const changesOf = ({ hunks }: Pick<FileDiffMetadata, "hunks">) =>
  hunks.map(({ additionStart, deletionStart, hunkContent }) => {
    let unchanged = 0;
    for (const part of hunkContent) {
      if (part.type === "context") unchanged += part.lines;
      else
        return part.additions > 0
          ? { side: "additions" as const, start: additionStart + unchanged, lines: part.additions }
          : { side: "deletions" as const, start: deletionStart + unchanged, lines: part.deletions };
    }
    return { side: "additions" as const, start: additionStart, lines: 1 };
  });
