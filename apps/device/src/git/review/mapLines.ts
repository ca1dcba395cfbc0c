/** A hunk of a diff without context. A count of 0 means lines were only added or only removed, after `start`. */
export interface LineHunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

export interface LineRange {
  from: number;
  to: number;
}

/** Reads the hunks of a patch that git made with `-U0`. */
export const hunksOf = (patch: string): LineHunk[] =>
  [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map(([, a, b, c, d]) => ({
    oldStart: Number(a),
    oldCount: b === undefined ? 1 : Number(b),
    newStart: Number(c),
    newCount: d === undefined ? 1 : Number(d),
  }));

/**
 * Follows a range of lines through a diff.
 * @returns the range in the new file; the nearest new line if one of its lines was changed
 */
export function mapLines(
  { from, to }: LineRange,
  hunks: readonly LineHunk[],
): LineRange | { nearest: number } {
  let shift = 0;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    // Without old lines, the new ones stand between `oldStart` and the line after it.
    const first = oldCount === 0 ? oldStart + 1 : oldStart;
    const last = oldCount === 0 ? oldStart : oldStart + oldCount - 1;
    if (last < from) shift += newCount - oldCount;
    else if (first > to) break;
    else return { nearest: Math.max(1, newStart) };
  }
  return { from: from + shift, to: to + shift };
}

/** The lines of a file, without their ends. */
export function linesIn(content: string): string[] {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Fewer letters and digits, such as those of a closing bracket, do not identify lines. */
const MIN_LETTERS = 8;

/** The only place of lines in a file; undefined if the lines are there several times, or could be anywhere. */
export function uniquePlace(wanted: readonly string[], lines: readonly string[]): LineRange | undefined {
  if ((wanted.join("").match(/[\p{L}\p{N}\u0080-\uffff]/gu) ?? []).length < MIN_LETTERS) return undefined;
  const starts: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++)
    if (wanted.every((line, index) => lines[at + index] === line)) starts.push(at);
  const [start] = starts;
  if (starts.length !== 1 || start === undefined) return undefined;
  return { from: start + 1, to: start + wanted.length };
}
