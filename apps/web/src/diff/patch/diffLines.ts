import type { FileDiffMetadata, SelectedLineRange } from "@pierre/diffs";

/** A line of a file's changes in the unified layout. */
export interface Line {
  sign: " " | "+" | "-";
  text: string;
  /** The line number before the change; undefined for an added line. */
  before: number | undefined;
  /** The line number after the change; undefined for a removed line. */
  after: number | undefined;
}

interface ParsedDiff extends Pick<FileDiffMetadata, "additionLines" | "deletionLines"> {
  hunks: readonly Pick<
    FileDiffMetadata["hunks"][number],
    "deletionStart" | "additionStart" | "hunkContent"
  >[];
}

/** The changes of a file whose patch has not been loaded. */
export const EMPTY_DIFF = { hunks: [], additionLines: [], deletionLines: [] } satisfies ParsedDiff;

const cache = new WeakMap<ParsedDiff, Line[]>();

/** Returns the lines of a file's changes. Memoized. */
export function linesOf(diff: ParsedDiff): readonly Line[] {
  const lines = cache.get(diff) ?? read(diff);
  cache.set(diff, lines);
  return lines;
}

function read({ hunks, additionLines, deletionLines }: ParsedDiff): Line[] {
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

/** Whether the diff's lines match the two texts. */
export function matchesTexts(diff: ParsedDiff, before: string, after: string): boolean {
  const texts = { before: before.split(/\r?\n/), after: after.split(/\r?\n/) };
  return linesOf(diff).every(
    (line) =>
      (line.after === undefined || texts.after[line.after - 1] === line.text) &&
      // Where whitespace is ignored, an unchanged line may differ in it.
      (line.sign !== "-" || line.before === undefined || texts.before[line.before - 1] === line.text),
  );
}

/** A selection as two line indexes. It starts at the anchor, which may be after the head. */
export type Span = readonly [anchor: number, head: number];

/** Converts a span to the viewer's line range. */
export function rangeOf(lines: readonly Line[], [anchor, head]: Span): SelectedLineRange | undefined {
  const [start, end] = [pointOf(lines[anchor]), pointOf(lines[head])];
  return start && end && { start: start.line, side: start.side, end: end.line, endSide: end.side };
}

function pointOf(line: Line | undefined) {
  if (line?.after !== undefined) return { line: line.after, side: "additions" as const };
  return line?.before === undefined ? undefined : { line: line.before, side: "deletions" as const };
}

/** Converts the viewer's line range to a span; undefined if the lines do not exist. */
export function spanOf(lines: readonly Line[], range: SelectedLineRange): Span | undefined {
  const find = (number: number, side = range.side) =>
    lines.findIndex((line) => (side === "deletions" ? line.before : line.after) === number);
  const [anchor, head] = [find(range.start), find(range.end, range.endSide)];
  return anchor < 0 || head < 0 ? undefined : [anchor, head];
}
