import type { Line, Span } from "../diffLines";

/** Lines of a file to comment on. Removed lines are numbered as before the change. */
export interface CommentRange {
  path: string;
  side: "before" | "after";
  from: number;
  to: number;
}

/** Returns the lines of a selection. If it has lines after the change, removed ones are left out. */
export function commentRange(path: string, lines: readonly Line[], [anchor, head]: Span): CommentRange {
  const selected = lines.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const after = selected.flatMap((line) => line.after ?? []);
  const numbers = after.length > 0 ? after : selected.flatMap((line) => line.before ?? []);
  const side = after.length > 0 ? "after" : "before";
  return { path, side, from: Math.min(...numbers), to: Math.max(...numbers) };
}
