import type { Line } from "./lines";

/** A line that has the text. */
export interface Found {
  path: string;
  /** Its place in the lines of the file. */
  at: number;
}

/**
 * The lines that have a text, in any case, in the order of the files.
 * @param linesOf the lines of a file; none while they are not there
 */
export function find(
  paths: readonly string[],
  linesOf: (path: string) => readonly Line[],
  text: string,
): Found[] {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  return paths.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (line.text.toLowerCase().includes(wanted) ? [{ path, at }] : [])),
  );
}

/** The place of the next or previous line, around the end. The first one if `current` is no longer found. */
export function step(found: readonly Found[], current: Found | undefined, by: 1 | -1): Found | undefined {
  const at = found.findIndex((each) => each.path === current?.path && each.at === current.at);
  return at < 0 ? found.at(by === 1 ? 0 : -1) : found[(at + by + found.length) % found.length];
}
