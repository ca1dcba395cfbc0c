import { visibleLines, visibleName } from "@grove/schemas";
import { withInstalledNames } from "../lib/commandNames";

/** Exit codes other than 0 (success) and 1 (failure). */
export const exitCodes = { wrongUsage: 2, notConnected: 3, revoked: 4 } as const;

/** Formats rows below a heading, with aligned columns. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  // A line break or a tab in a cell would move the columns.
  const all = [heading, ...rows.map((row) => row.map(visibleName))];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return all.map((row) => line(row).join("  ").trimEnd()).join("\n");
}

/** Formats the example at the end of a command's help. */
export const example = (...lines: string[]): string =>
  `\nExample:\n${lines.map((line) => `  ${line}\n`).join("")}`;

/** Prints a command's response: for a script, with unchanged names, or for a person. */
export const answer = (facts: object, words: string, json: boolean | undefined): void => {
  if (json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else print(words);
};

/** Prints a response for a person. */
export const print = (words: string): void => {
  process.stdout.write(forPerson(words));
};

/** Prints progress or an error for a person. */
export const note = (words: string): void => {
  process.stderr.write(forPerson(words));
};

/** Marks hidden characters: other people chose the names of files, branches, workspaces, projects and devices. */
const forPerson = (words: string): string => `${visibleLines(withInstalledNames(words))}\n`;
