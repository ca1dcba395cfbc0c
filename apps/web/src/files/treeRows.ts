import type { ListedFile } from "@grove/schemas";

/** The loaded entries of a directory. */
export interface Listing {
  entries?: readonly ListedFile[] | undefined;
  truncated?: boolean | undefined;
  error?: Error | null;
}

export interface EntryRow extends ListedFile {
  /** Identifies the row. */
  key: string;
  path: string;
  /** 1 at the top of the worktree. */
  level: number;
  /** The position among the directory's entries, counted from 1, and their number. */
  position: number;
  siblings: number;
  /** Whether a directory is open; undefined for everything else. */
  isOpen: boolean | undefined;
}

/** A row in place of entries. */
export interface NoteRow {
  key: string;
  level: number;
  directory: string;
  note: "loading" | "failed" | "empty" | "truncated";
}

export type TreeRow = EntryRow | NoteRow;

/** The top of the worktree. */
export const TOP = "";

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Returns the directories that contain a path, the top first. */
export function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index).join("/"));
}

/** Returns the visible rows of a tree, of which `open` are the open directories. */
export function treeRows(listings: ReadonlyMap<string, Listing>, open: ReadonlySet<string>): TreeRow[] {
  const rowsIn = (directory: string, level: number): TreeRow[] => {
    const { entries, truncated = false, error } = listings.get(directory) ?? {};
    const note = (name: NoteRow["note"]): NoteRow => ({
      key: `${directory}/ ${name}`,
      level,
      directory,
      note: name,
    });
    if (!entries) return [note(error ? "failed" : "loading")];
    if (entries.length === 0) return [note("empty")];
    const rows = entries.flatMap((entry, index): TreeRow[] => {
      const path = directory === TOP ? entry.name : `${directory}/${entry.name}`;
      const isOpen = entry.kind === "directory" ? open.has(path) : undefined;
      const position = { level, position: index + 1, siblings: entries.length };
      const row = { ...entry, ...position, key: path, path, isOpen };
      return isOpen ? [row, ...rowsIn(path, level + 1)] : [row];
    });
    return truncated ? [...rows, note("truncated")] : rows;
  };
  return rowsIn(TOP, 1);
}

/** An action of a key in the tree. */
export type TreeAction = { moveTo: string } | { toggle: string } | { openFile: string } | { retry: string };

/** Returns what a key does in a tree, as in the tree pattern of the ARIA practices; undefined for other keys. */
export function treeAction(rows: readonly TreeRow[], activeKey: string, key: string): TreeAction | undefined {
  const at = Math.max(
    0,
    rows.findIndex((row) => row.key === activeKey),
  );
  const row = rows[at];
  if (!row) return undefined;
  const moveTo = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))];
    return next && { moveTo: next.key };
  };
  const parent = "path" in row ? parentOf(row.path) : row.directory;
  switch (key) {
    case "ArrowDown":
      return moveTo(at + 1);
    case "ArrowUp":
      return moveTo(at - 1);
    case "Home":
      return moveTo(0);
    case "End":
      return moveTo(rows.length - 1);
    case "ArrowRight":
      if (!("path" in row) || row.isOpen === undefined) return undefined;
      return row.isOpen ? moveTo(at + 1) : { toggle: row.path };
    case "ArrowLeft":
      if ("path" in row && row.isOpen) return { toggle: row.path };
      return parent === TOP ? undefined : { moveTo: parent };
    case "Enter":
    case " ":
      if (!("path" in row)) return row.note === "failed" ? { retry: row.directory } : undefined;
      return row.isOpen === undefined ? { openFile: row.path } : { toggle: row.path };
    default:
      return undefined;
  }
}
