import type { DiffFile } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";

/** Replaces git's header for the viewer's parser, since file names may contain any character. */
export const HEADER = "diff --git a/file b/file\n--- a/file\n+++ b/file\n";

/**
 * Returns the hunks of a patch. If a file became a link, or the reverse, git writes one patch that deletes the old file
 * and one that adds the new one; both are merged into one hunk.
 */
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

/** Whether the removed and the added lines differ only in carriage returns at the line ends. */
export function changesOnlyLineEndings(patch: string): boolean {
  const lines = hunksOf(patch).split("\n");
  const textOf = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1).replace(/\r+$/, ""));
  const removed = textOf("-");
  const added = textOf("+");
  return removed.length > 0 && removed.length === added.length && removed.join("\n") === added.join("\n");
}

/** Returns placeholder rows for lines that are not loaded yet, so that the layout does not shift. */
export const placeholderRows = ({
  insertions,
  deletions,
}: Pick<DiffFile, "insertions" | "deletions">): string => {
  const rows = Math.min(insertions + deletions, MAX_ROWS);
  return `@@ -1,${rows} +1,${rows} @@\n${" \n".repeat(rows)}`;
};
const MAX_ROWS = 2_000;

/** Returns the first changed line of each hunk and its side. */
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
