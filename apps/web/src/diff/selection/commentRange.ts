import type { DiffFile } from "@grove/schemas";
import type { Line, Span } from "../patch/diffLines";

/** A file to comment on. */
export interface CommentFile {
  path: string;
  side: "before" | "after";
}

/** Lines of a file to comment on. Removed lines are numbered as before the change. */
export interface CommentRange extends CommentFile {
  from: number;
  to: number;
}

/** A whole file to comment on. A deleted file has only the version before the change. */
export const commentFile = ({ path, status }: Pick<DiffFile, "path" | "status">): CommentFile => ({
  path,
  side: status === "deleted" ? "before" : "after",
});

/** Returns the lines of a selection. If it has lines after the change, removed ones are left out. */
export function commentRange(path: string, lines: readonly Line[], [anchor, head]: Span): CommentRange {
  const selected = lines.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const after = selected.flatMap((line) => line.after ?? []);
  const numbers = after.length > 0 ? after : selected.flatMap((line) => line.before ?? []);
  const side = after.length > 0 ? "after" : "before";
  return { path, side, from: Math.min(...numbers), to: Math.max(...numbers) };
}
