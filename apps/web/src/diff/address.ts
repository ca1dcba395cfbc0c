import type { SelectedLineRange } from "@pierre/diffs";

/** A file of a diff, and perhaps lines of it. */
export interface Place {
  path: string;
  lines?: SelectedLineRange;
}

/** The side of a line: before the change, or after it. */
const letterOf = (side: SelectedLineRange["side"]) => (side === "deletions" ? "L" : "R");
const sideOf = (letter: string | undefined) => (letter === "L" ? "deletions" : "additions");

/**
 * A place as the fragment of an address: `#src/login.ts`, or `#src/login.ts:L4-R6` with its lines. Browsers send it to
 * no server, so that no log has the names of files.
 */
export function fragmentOf({ path, lines }: Place): string {
  const name = path.split("/").map(encodeURIComponent).join("/");
  if (!lines) return `#${name}`;
  const { start, side, end, endSide = side } = lines;
  const first = `${letterOf(side)}${start}`;
  const last = `${letterOf(endSide)}${end}`;
  return `#${name}:${first}${first === last ? "" : `-${last}`}`;
}

/** The place that a fragment names; undefined for none. */
export function placeIn(fragment: string): Place | undefined {
  const [, name = "", side, start, endSide = side, end = start] =
    /^#(.+?)(?::([LR])(\d{1,9})(?:-([LR])(\d{1,9}))?)?$/.exec(fragment) ?? [];
  const path = decoded(name);
  if (path === "") return undefined;
  if (start === undefined) return { path };
  return {
    path,
    lines: { start: Number(start), side: sideOf(side), end: Number(end), endSide: sideOf(endSide) },
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Somebody has typed it, or the router has decoded a part of it.
    return name;
  }
}

/** The whole address of a place in the diff that is shown. */
export const linkTo = (place: Place): string => new URL(fragmentOf(place), location.href).href;

/** Puts a file into the address, unless that names a place in it. The router would read the whole diff again. */
export function keepInAddress(path: string): void {
  if (placeIn(location.hash)?.path === path) return;
  History.prototype.replaceState.call(history, history.state, "", fragmentOf({ path }));
}
