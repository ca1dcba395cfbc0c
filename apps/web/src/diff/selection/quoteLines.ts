import { visibleName, visibleText } from "@grove/schemas";
import { pluralize } from "../../ui/pluralize";
import type { Line, Span } from "../patch/diffLines";

/** The limits of a quote. A terminal accepts 10 000 characters in one input. */
const MAX_LINES = 200;
const MAX_CHARACTERS = 8_000;

/** Formats a line range as `src/login.ts:4-6`, with the numbers after the change if there are any. */
export function lineRangeLabel(path: string, lines: readonly Line[], [anchor, head]: Span): string {
  const selectedLines = lines.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const numbers = (side: "before" | "after") => selectedLines.flatMap((line) => line[side] ?? []);
  const after = numbers("after");
  const [first, last] = after.length > 0 ? ends(after) : ends(numbers("before"));
  return `${visibleName(path)}:${first}${first === last ? "" : `-${last}`}`;
}

const ends = (numbers: readonly number[]) => [numbers[0] ?? 0, numbers.at(-1) ?? 0] as const;

/** Quotes lines with their file and numbers, as input for an agent. The text has no control characters. */
export function quoteLines(path: string, lines: readonly Line[], span: Span): string {
  const [anchor, head] = span;
  const selectedLines = lines.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const isChanged = selectedLines.some(({ sign }) => sign !== " ");
  const rows: string[] = [];
  let charactersLeft = MAX_CHARACTERS;
  for (const { sign, text } of selectedLines.slice(0, MAX_LINES)) {
    const row = `${isChanged ? sign : ""}${visibleText(text).replaceAll("\r", "")}`;
    charactersLeft -= row.length + 1;
    if (charactersLeft < 0) break;
    rows.push(row);
  }
  const omittedCount = selectedLines.length - rows.length;
  if (omittedCount > 0) rows.push(`… and ${pluralize(omittedCount, "more line")}`);
  return `${lineRangeLabel(path, lines, span)}\n${rows.join("\n")}\n`;
}
