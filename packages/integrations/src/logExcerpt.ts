import { REDACTED, redactKnownSecrets, visibleLines } from "@grove/schemas";
import type { LogTail } from "./network/logTail";

/** The longest excerpt of a log, in UTF-8. */
export const MAX_EXCERPT_BYTES = 6 * 1024;
const MAX_LINE_LENGTH = 600;
/** The space for the lines that count the omitted ones. */
const MARKERS_BYTES = 200;

/**
 * Returns the part of a log that most likely shows why it failed: the end of GitHub's last failed step, or else the end
 * of the log. Whole lines, as text: without colours, times and secrets, and with hidden characters marked.
 * @param secrets values that must not be in the excerpt, besides credentials of known forms
 */
export function excerptOfLog({ text, linesBefore }: LogTail, secrets: readonly string[]): string {
  const plain = text.trimEnd().split("\n").map(withoutDecoration).join("\n");
  // The longest first, since one secret may contain another.
  const values = secrets.toSorted((a, b) => b.length - a.length);
  const hidden = values.reduce((rest, value) => rest.replaceAll(value, REDACTED), plain);
  const lines = redactKnownSecrets(hidden).split("\n");
  const { first, last } = failedStep(lines);
  const heading = first === undefined ? [] : [omitted(linesBefore + first), shown(lines[first] ?? "")];
  const from = first === undefined ? 0 : first + 1;
  const remaining = MAX_EXCERPT_BYTES - MARKERS_BYTES - sizeOf(heading.join("\n"));
  const end = endWithin(lines.slice(from, last + 1), remaining);
  const between = last + 1 - from - end.length;
  return [
    ...heading,
    omitted(first === undefined ? linesBefore + between : between),
    ...end,
    omitted(lines.length - last - 1),
  ]
    .filter((line) => line !== undefined)
    .join("\n");
}

/** Finds the last step of a GitHub log that has an error. Returns its lines up to the error. */
function failedStep(lines: string[]): { first?: number; last: number } {
  const error = lines.findLastIndex((line) => line.startsWith("##[error]"));
  if (error === -1) return { last: lines.length - 1 };
  const before = lines.slice(0, error);
  // A step begins with its command. Its output may have groups of its own.
  const step = before.findLastIndex((line) => line.startsWith("##[group]Run "));
  const group = step === -1 ? before.findLastIndex((line) => line.startsWith("##[group]")) : step;
  return { last: error, ...(group !== -1 && { first: group }) };
}

/** The last lines, as many as fit. */
function endWithin(lines: string[], bytes: number): string[] {
  const end: string[] = [];
  let remaining = bytes;
  for (const line of lines.toReversed()) {
    const next = shown(line);
    remaining -= sizeOf(next) + 1;
    if (remaining < 0) break;
    end.unshift(next);
  }
  return end;
}

/** A line as it is in the excerpt. Marking lengthens a line, so it is truncated afterwards. */
function shown(line: string): string {
  const marked = visibleLines(line.slice(0, 2 * MAX_LINE_LENGTH));
  return marked.length > MAX_LINE_LENGTH ? `${marked.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : marked;
}

const sizeOf = (text: string) => Buffer.byteLength(text);

const omitted = (count: number): string | undefined =>
  count === 0 ? undefined : `… ${count} ${count === 1 ? "line" : "lines"} omitted`;

/** Sequences that a terminal would interpret. Each is searched for in linear time. */
const CONTROL_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression looks for them.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/** The time at the start of each line of GitHub, and of GitLab, which adds the number of a stream. */
const TIME = /^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z (?:\d\d[OE][ +])?/;

/** A line as a terminal would show it, where a carriage return overwrites the text before it. */
function withoutDecoration(line: string): string {
  const text = line.replaceAll(CONTROL_SEQUENCES, "").replace(/\r+$/, "");
  return text.slice(text.lastIndexOf("\r") + 1).replace(TIME, "");
}
