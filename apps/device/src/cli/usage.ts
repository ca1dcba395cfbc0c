import { asInstalled } from "../asInstalled";

/** Exit codes other than 0 (success) and 1 (failure). */
export const exitCodes = { wrongUsage: 2, notConnected: 3, revoked: 4 } as const;

/** Formats rows below a heading, with aligned columns. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return all.map((row) => line(row).join("  ").trimEnd()).join("\n");
}

/** Formats the example at the end of a command's help. */
export const example = (...lines: string[]): string =>
  `\nExample:\n${lines.map((line) => `  ${line}\n`).join("")}`;

/** Prints a command's answer for a script or for a person. */
export const answer = (facts: object, words: string, json: boolean | undefined): void => {
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : `${asInstalled(words)}\n`);
};
