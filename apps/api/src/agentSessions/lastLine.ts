// biome-ignore-all lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character.
import { sql } from "kysely";
import { lineText } from "./lineText";

/** How much of a chunk's end is searched for its last line. */
const MAX_SCANNED = 4_000;

/** Titles, links and other strings for the terminal, to their end. */
const STRINGS = /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)/g;
/** Moves of the cursor to another line or to a column. The text after such a move is separate. */
const MOVES = /\x1b\[[0-9;]*[ABEFGHdfJ]|\x1b[DEM78c]/g;
/** Moves of the cursor to the right, which some programs print instead of spaces. */
const GAPS = /\x1b\[[0-9]*C/g;
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]?|[ -/]*[0-~]?)/g;

/** The last line of a chunk of output. */
interface LastLine {
  /** The last line with text, without escape sequences; ends with a line break if the chunk continues after it. */
  line: string;
  /** Whether the line is the first of its chunk, so that it continues the last line of the previous chunk. */
  continues: boolean;
}

/**
 * Returns the last line of a chunk. This is a guess for full-screen programs, which draw their lines in any order. A
 * sequence that is split between two chunks leaves its second half in the line.
 */
export function lastLineOf(data: string): LastLine {
  const lines = data
    .slice(-MAX_SCANNED)
    .replaceAll(STRINGS, "")
    .replaceAll(MOVES, "\n")
    .replaceAll(GAPS, " ")
    .replaceAll(SEQUENCES, "")
    .split(/[\r\n]/);
  const at = lines.findLastIndex((line) => lineText(line) !== null);
  const isContinued = at < lines.length - 1;
  // Spaces stay, since the next chunk may continue the line.
  const line = at === -1 ? (lines[0] ?? "").replaceAll(/[^ ]/g, "") : visible(lines[at] ?? "");
  return {
    line: isContinued && lines.length > 1 ? `${line}\n` : line,
    continues: at <= 0 && data.length <= MAX_SCANNED,
  };
}

/** The text of a line, with the space at its ends. */
const visible = (line: string): string => {
  const text = lineText(line) ?? "";
  return `${line.startsWith(" ") ? " " : ""}${text}${line.endsWith(" ") ? " " : ""}`;
};

/** The new value of `last_line`, of the reported line in `given`. */
export const nextLastLine = sql`case
  when given.continues and right(last_line, 1) is distinct from E'\\n'
    then left(rtrim(coalesce(last_line, '') || given.line, E'\\n'), 200)
      || case when right(given.line, 1) = E'\\n' then E'\\n' else '' end
  when btrim(given.line, E' \\n') = '' then last_line
  else given.line end`;
