import { ASKS_LENGTH } from "@grove/schemas";

/** Lines, blocks and braille: frames and spinners around the text. */
const FRAME = /[\u2500-\u259f\u2800-\u28ff]/g;

/**
 * The end of a screen as a person needs it to answer: its last lines, without frames and wide gaps.
 * @param lines those of the screen; the last ones of up to 500 characters in all are kept
 */
export function questionTextOf(lines: string): string {
  const kept: string[] = [];
  let left: number = ASKS_LENGTH;
  for (const line of lines.split("\n").toReversed()) {
    const text = line
      .replaceAll(FRAME, " ")
      .trimEnd()
      .replaceAll(/(?<=\S)\s{3,}/g, "  ");
    if (text === "") continue;
    // A line that is too long on its own keeps its end; otherwise only whole lines are kept.
    if (text.length > left) {
      if (kept.length === 0) kept.push(text.slice(-ASKS_LENGTH));
      break;
    }
    kept.push(text);
    left -= text.length + 1;
  }
  const indent = Math.min(...kept.map((line) => line.search(/\S/)));
  return kept
    .toReversed()
    .map((line) => line.slice(indent))
    .join("\n")
    .toWellFormed();
}
