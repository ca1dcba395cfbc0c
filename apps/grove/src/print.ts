import { visibleLines } from "@grove/schemas";

/**
 * Prints text for a person, with marks of hidden characters, since others chose the names in it. Do not use it for
 * JSON.
 */
export const print = (text: string): void => void process.stdout.write(visibleLines(text));

/** Prints a line of progress. It goes to stderr, since stdout is for the result. */
export const say = (text: string): void => void process.stderr.write(`${visibleLines(text)}\n`);

/** Prints a result for programs, on one line. */
export const printJson = (result: unknown): void => void process.stdout.write(`${JSON.stringify(result)}\n`);

/** Aligns the cells of rows in columns. */
export function table(rows: readonly string[][]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(width(column)))
      .join("  ")
      .trimEnd(),
  );
  return lines.join("\n");
}

/** `1 file`, `2 files`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
