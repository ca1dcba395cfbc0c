import type { FileDiffMetadata, SelectedLineRange } from "@pierre/diffs";

/** A line of a file's changes, as they are shown one below the other. */
export interface Line {
  sign: " " | "+" | "-";
  text: string;
  /** Its number before the change, unless it is new. */
  before: number | undefined;
  /** Its number after the change, unless it is gone. */
  after: number | undefined;
}

interface Parsed extends Pick<FileDiffMetadata, "additionLines" | "deletionLines"> {
  hunks: readonly Pick<
    FileDiffMetadata["hunks"][number],
    "deletionStart" | "additionStart" | "hunkContent"
  >[];
}

const known = new WeakMap<Parsed, Line[]>();

/** The lines of a file's changes, in order. */
export function linesOf(diff: Parsed): readonly Line[] {
  const lines = known.get(diff) ?? read(diff);
  known.set(diff, lines);
  return lines;
}

function read({ hunks, additionLines, deletionLines }: Parsed): Line[] {
  const lines: Line[] = [];
  const add = (sign: Line["sign"], text = "", before?: number, after?: number) =>
    lines.push({ sign, text: text.replace(/\r?\n$/, ""), before, after });
  for (const { deletionStart, additionStart, hunkContent } of hunks) {
    let [before, after] = [deletionStart, additionStart];
    for (const part of hunkContent) {
      const unchanged = part.type === "context" ? part.lines : 0;
      for (let at = 0; at < unchanged; at++)
        add(" ", additionLines[part.additionLineIndex + at], before++, after++);
      if (part.type === "context") continue;
      for (let at = 0; at < part.deletions; at++)
        add("-", deletionLines[part.deletionLineIndex + at], before++);
      for (let at = 0; at < part.additions; at++)
        add("+", additionLines[part.additionLineIndex + at], undefined, after++);
    }
  }
  return lines;
}

/** Two places in the lines of a file. The first is where a selection began, and may be behind the other one. */
export type Span = readonly [anchor: number, head: number];

/** A span as the viewer names it. */
export function rangeOf(lines: readonly Line[], [anchor, head]: Span): SelectedLineRange | undefined {
  const [start, end] = [pointOf(lines[anchor]), pointOf(lines[head])];
  return start && end && { start: start.line, side: start.side, end: end.line, endSide: end.side };
}

function pointOf(line: Line | undefined) {
  if (line?.after !== undefined) return { line: line.after, side: "additions" as const };
  return line?.before === undefined ? undefined : { line: line.before, side: "deletions" as const };
}

/** The span that the viewer names; undefined if there are no such lines. */
export function spanOf(lines: readonly Line[], range: SelectedLineRange): Span | undefined {
  const find = (number: number, side = range.side) =>
    lines.findIndex((line) => (side === "deletions" ? line.before : line.after) === number);
  const [anchor, head] = [find(range.start), find(range.end, range.endSide)];
  return anchor < 0 || head < 0 ? undefined : [anchor, head];
}
