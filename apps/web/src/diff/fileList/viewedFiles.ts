const KEY = "grove.viewed";
/** The limit over all workspaces. The oldest marks are dropped. */
const MAX_MARKS = 3_000;

type Mark = [workspaceId: string, path: string, blob: string];

const isMark = (value: unknown): value is Mark =>
  Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "string");

function read(): Mark[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isMark) : [];
  } catch {
    return [];
  }
}

/** Identifies a file's content by its git blob. A deleted file has none. */
const contentOf = (blob: string | null): string => blob ?? "deleted";

/** Returns the paths whose current content was marked as viewed. */
export function viewedOf(workspaceId: string, files: readonly { path: string; blob: string | null }[]) {
  const marks = new Map(
    read().flatMap(([workspace, path, blob]) => (workspace === workspaceId ? [[path, blob] as const] : [])),
  );
  return new Set(
    files.filter(({ path, blob }) => marks.get(path) === contentOf(blob)).map(({ path }) => path),
  );
}

/** Marks a file's current content as viewed, or removes the mark. */
export function markViewed(
  workspaceId: string,
  { path, blob }: { path: string; blob: string | null },
  isViewed: boolean,
): void {
  const others = read().filter((mark) => mark[0] !== workspaceId || mark[1] !== path);
  const marks: Mark[] = isViewed ? [...others, [workspaceId, path, contentOf(blob)]] : others;
  try {
    localStorage.setItem(KEY, JSON.stringify(marks.slice(-MAX_MARKS)));
  } catch {
    // The storage is full: the mark lasts until the page is closed.
  }
}
