import type { ListedFile } from "@grove/schemas";
import type { TreeItem } from "../ui/treeKeys";

/** The loaded entries of a directory. */
export interface Listing {
  entries?: readonly ListedFile[] | undefined;
  truncated?: boolean | undefined;
  error?: Error | null;
}

/** A file or a directory. Its key is its path. */
export interface EntryRow extends ListedFile, TreeItem {
  path: string;
}

/** A row in place of entries. */
export interface NoteRow extends TreeItem {
  directory: string;
  note: "loading" | "failed" | "empty" | "truncated";
}

export type TreeRow = EntryRow | NoteRow;

/** The top of the worktree. */
export const TOP = "";

/** Returns the directories that contain a path, the top first. */
export function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index).join("/"));
}

/** Returns the visible rows of a tree, of which `open` are the open directories. */
export function treeRows(listings: ReadonlyMap<string, Listing>, open: ReadonlySet<string>): TreeRow[] {
  const rowsIn = (directory: string, level: number): TreeRow[] => {
    const { entries, truncated = false, error } = listings.get(directory) ?? {};
    const parent = directory === TOP ? undefined : directory;
    const note = (name: NoteRow["note"]): NoteRow => ({
      key: `${directory}/ ${name}`,
      level,
      parent,
      directory,
      note: name,
    });
    if (!entries) return [note(error ? "failed" : "loading")];
    if (entries.length === 0) return [note("empty")];
    const rows = entries.flatMap((entry, index): TreeRow[] => {
      const path = directory === TOP ? entry.name : `${directory}/${entry.name}`;
      const isOpen = entry.kind === "directory" ? open.has(path) : undefined;
      const position = { level, parent, position: index + 1, siblings: entries.length };
      const row = { ...entry, ...position, key: path, path, isOpen };
      return isOpen ? [row, ...rowsIn(path, level + 1)] : [row];
    });
    return truncated ? [...rows, note("truncated")] : rows;
  };
  return rowsIn(TOP, 1);
}
