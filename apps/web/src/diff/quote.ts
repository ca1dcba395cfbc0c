import { visibleName, visibleText } from "@grove/schemas";
import type { Line, Span } from "./lines";

/** The most lines and characters of a quote. A terminal takes 10 000 characters together. */
const MOST_LINES = 200;
const MOST_CHARACTERS = 8_000;

/** The lines' place: `src/login.ts:4-6`, by the numbers after the change if there are any. */
export function placeOf(path: string, lines: readonly Line[], [anchor, head]: Span): string {
  const chosen = lines.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const numbers = (of: "before" | "after") => chosen.flatMap((line) => line[of] ?? []);
  const after = numbers("after");
  const [first, last] = after.length > 0 ? ends(after) : ends(numbers("before"));
  return `${visibleName(path)}:${first}${first === last ? "" : `-${last}`}`;
}

const ends = (numbers: readonly number[]) => [numbers[0] ?? 0, numbers.at(-1) ?? 0] as const;

/** The lines with their place, as a text for an agent. It is safe to type: it has no control characters. */
export function quoteOf(path: string, lines: readonly Line[], span: Span): string {
  const [anchor, head] = span;
  const chosen = lines.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const isChanged = chosen.some(({ sign }) => sign !== " ");
  const rows: string[] = [];
  let room = MOST_CHARACTERS;
  for (const { sign, text } of chosen.slice(0, MOST_LINES)) {
    const row = `${isChanged ? sign : ""}${visibleText(text).replaceAll("\r", "")}`;
    room -= row.length + 1;
    if (room < 0) break;
    rows.push(row);
  }
  const left = chosen.length - rows.length;
  if (left > 0) rows.push(`… and ${left} more ${left === 1 ? "line" : "lines"}`);
  return `${placeOf(path, lines, span)}\n${rows.join("\n")}\n`;
}
