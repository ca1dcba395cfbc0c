import type { SessionTail } from "@grove/schemas";

/** More lines than the longest answer has, nearly always. */
const SCROLLBACK = 5_000;

/**
 * The end of what a session's terminal shows: of a full-screen program its screen, and of anything else the last lines.
 * @param most characters
 */
export async function lastShown(
  { output, truncated, columns, rows }: SessionTail,
  most: number,
): Promise<{ output: string; truncated: boolean }> {
  const { Screen } = await import("@grove/terminal");
  const screen = new Screen({ columns, rows, scrollback: SCROLLBACK });
  await screen.write(finished(truncated ? continued(output) : output));
  const text = screen.lines().join("\n");
  screen.close();
  return { output: text.slice(-most).toWellFormed(), truncated: truncated || text.length > most };
}

/** Output whose beginning is missing. */
function continued(output: string): string {
  // Not from the middle of a control sequence, whose rest would be text.
  const starts = [ESCAPE, "\n"].map((character) => output.indexOf(character)).filter((at) => at >= 0);
  const whole = starts.length > 0 ? output.slice(Math.min(...starts)) : output;
  const [change] = whole.split(ESCAPE).flatMap((sequence) => FULL_SCREEN.exec(sequence)?.[1] ?? []);
  // A full-screen program that leaves its screen had one before.
  return change === "l" ? `${ESCAPE}[?1049h${whole}` : whole;
}

/** Output without a picture at its end that the program has begun to draw (DEC mode 2026), if there is one before. */
function finished(output: string): string {
  const begun = output.lastIndexOf(`${ESCAPE}[?2026h`);
  return begun > output.lastIndexOf(`${ESCAPE}[?2026l`) && begun > 0 ? output.slice(0, begun) : output;
}

const ESCAPE = "\x1b";
/** The program takes (h) or leaves (l) a screen of its own. */
const FULL_SCREEN = /^\[\?(?:1049|1047|47)([hl])/;
