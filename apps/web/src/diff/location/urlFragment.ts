import type { SelectedLineRange } from "@pierre/diffs";

/** A file of a diff, optionally with a range of its lines. */
export interface DiffLocation {
  path: string;
  lines?: SelectedLineRange;
}

/** The side of a line in the fragment: L before the change, R after it. */
const letterOf = (side: SelectedLineRange["side"]) => (side === "deletions" ? "L" : "R");
const sideOf = (letter: string | undefined) => (letter === "L" ? "deletions" : "additions");

/**
 * Formats a location as a URL fragment: `#src/login.ts`, or `#src/login.ts:L4-R6` with lines. Browsers do not send the
 * fragment to servers, so no log contains file names.
 */
export function fragmentOf({ path, lines }: DiffLocation): string {
  const name = path.split("/").map(encodeURIComponent).join("/");
  if (!lines) return `#${name}`;
  const { start, side, end, endSide = side } = lines;
  const first = `${letterOf(side)}${start}`;
  const last = `${letterOf(endSide)}${end}`;
  return `#${name}:${first}${first === last ? "" : `-${last}`}`;
}

/** Parses a URL fragment; undefined if it is empty. */
export function parseFragment(fragment: string): DiffLocation | undefined {
  const [, name = "", side, start, endSide = side, end = start] =
    /^#(.+?)(?::([LR])(\d{1,9})(?:-([LR])(\d{1,9}))?)?$/.exec(fragment) ?? [];
  const path = decodePath(name);
  if (path === "") return undefined;
  if (start === undefined) return { path };
  return {
    path,
    lines: { start: Number(start), side: sideOf(side), end: Number(end), endSide: sideOf(endSide) },
  };
}

function decodePath(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Not valid percent-encoding: a user typed the fragment, or the router has already decoded it. Use it as it is.
    return name;
  }
}

/** Returns the full URL of a location in the current diff. It opens the changes without the other parts of the page. */
export function linkTo(target: DiffLocation): string {
  const url = new URL(fragmentOf(target), location.href);
  for (const name of ["tab", "side", "file", "line"]) url.searchParams.delete(name);
  url.searchParams.set("only", "changes");
  return url.href;
}

/**
 * Puts a file into the URL, unless the URL already names a location in that file. It bypasses the router, which would
 * load the whole diff again.
 */
export function putFileInUrl(path: string): void {
  if (parseFragment(location.hash)?.path === path) return;
  History.prototype.replaceState.call(history, history.state, "", fragmentOf({ path }));
}
