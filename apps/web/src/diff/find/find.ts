import type { Line } from "../patch/diffLines";

/** A line that contains the text. */
export interface Match {
  path: string;
  /** The line's index in the file's changes. */
  at: number;
}

/**
 * Finds the lines that contain a text. Case-insensitive, in the order of the files.
 * @param linesOf returns the lines of a file; none until they are loaded
 */
export function find(
  paths: readonly string[],
  linesOf: (path: string) => readonly Line[],
  text: string,
): Match[] {
  const needle = text.toLowerCase();
  if (needle === "") return [];
  return paths.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (line.text.toLowerCase().includes(needle) ? [{ path, at }] : [])),
  );
}

/** Returns the next or previous match, cyclically; the first or last one if `current` no longer matches. */
export function nextMatch(
  matches: readonly Match[],
  current: Match | undefined,
  by: 1 | -1,
): Match | undefined {
  const at = matches.findIndex((each) => each.path === current?.path && each.at === current.at);
  return at < 0 ? matches.at(by === 1 ? 0 : -1) : matches[(at + by + matches.length) % matches.length];
}
