import { QUESTION_TEXT_LENGTH } from "@grove/schemas";

/** Box-drawing characters, blocks and braille: frames and spinners around the text. */
const FRAME = /[\u2500-\u259f\u2800-\u28ff]/g;

/**
 * Returns the last lines of a screen without box-drawing characters and padding, as context for an answer.
 * @param lines the screen's lines, of which the last 500 characters are kept
 */
export function questionTextOf(lines: string): string {
  const keptLines: string[] = [];
  let remaining: number = QUESTION_TEXT_LENGTH;
  for (const line of lines.split("\n").toReversed()) {
    const text = line
      .replaceAll(FRAME, " ")
      .trimEnd()
      .replaceAll(/(?<=\S)\s{3,}/g, "  ");
    if (text === "") continue;
    // A line that is too long on its own keeps its end; otherwise only whole lines are kept.
    if (text.length > remaining) {
      if (keptLines.length === 0) keptLines.push(text.slice(-QUESTION_TEXT_LENGTH));
      break;
    }
    keptLines.push(text);
    remaining -= text.length + 1;
  }
  const indent = Math.min(...keptLines.map((line) => line.search(/\S/)));
  return keptLines
    .toReversed()
    .map((line) => line.slice(indent))
    .join("\n")
    .toWellFormed();
}
