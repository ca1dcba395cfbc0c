import type { IBuffer, IBufferLine } from "@xterm/headless";

type TextBuffer = Pick<IBuffer, "length" | "getLine">;

/**
 * Returns the lines of a terminal's buffer, from a row on. Colours, trailing blanks and trailing empty lines are
 * dropped; a line that was wrapped on screen is one line.
 */
export function linesFrom(buffer: TextBuffer, first: number): string[] {
  const rows = Array.from(
    { length: buffer.length - first },
    (_, y) => buffer.getLine(first + y) as IBufferLine,
  );
  const lines: string[] = [];
  for (const [y, row] of rows.entries()) {
    const text = row.translateToString(!rows[y + 1]?.isWrapped);
    if (row.isWrapped && lines.length > 0) lines.push(lines.pop() + text);
    else lines.push(text);
  }
  const trimmed = lines.map((line) => line.trimEnd().toWellFormed());
  return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
}
