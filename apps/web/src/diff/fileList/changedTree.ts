import type { DiffFile } from "@grove/schemas";
import type { TreeItem } from "../../ui/treeKeys";

interface Directory {
  /** Ends with a slash, except at the top. */
  path: string;
  directories: Map<string, Directory>;
  files: DiffFile[];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Groups the files by directory. Directories and files keep their order. */
function directoryOf(files: readonly DiffFile[]): Directory {
  const top: Directory = { path: "", directories: new Map(), files: [] };
  for (const file of files) {
    let directory = top;
    for (const name of file.path.split("/").slice(0, -1)) {
      const inside = directory.directories.get(name) ?? {
        path: `${directory.path}${name}/`,
        directories: new Map<string, Directory>(),
        files: [],
      };
      directory.directories.set(name, inside);
      directory = inside;
    }
    directory.files.push(file);
  }
  return top;
}

/** Sorts the files as their tree lists them: in each directory, the directories before the files. */
export function inTreeOrder(files: readonly DiffFile[]): DiffFile[] {
  const filesIn = (directory: Directory): DiffFile[] => [
    ...[...directory.directories.values()].flatMap(filesIn),
    ...directory.files,
  ];
  return filesIn(directoryOf(files));
}

interface ChangedFileRow extends TreeItem {
  name: string;
  file: DiffFile;
}

interface DirectoryRow extends TreeItem {
  /** For directories that contain only one another, all their names. */
  name: string;
  isOpen: boolean;
}

/** The key of a file is its path, and that of a directory its path and a slash. */
export type ChangedRow = ChangedFileRow | DirectoryRow;

/** Returns the directory, or the innermost one of those that contain only one another. */
function innermost(directory: Directory): Directory {
  const [only, ...others] = directory.directories.values();
  return only && others.length === 0 && directory.files.length === 0 ? innermost(only) : directory;
}

/** Returns the visible rows of the tree of changed files. */
export function changedRows(files: readonly DiffFile[], closed: ReadonlySet<string>): ChangedRow[] {
  const rowsIn = (directory: Directory, parent: string | undefined, level: number): ChangedRow[] => {
    const siblings = directory.directories.size + directory.files.length;
    let position = 0;
    const place = () => ({ parent, level, siblings, position: ++position });
    const directories = [...directory.directories.values()].flatMap((each): ChangedRow[] => {
      const inside = innermost(each);
      const { path: key } = inside;
      const isOpen = !closed.has(key);
      const row = { ...place(), key, isOpen, name: key.slice(directory.path.length, -1) };
      return isOpen ? [row, ...rowsIn(inside, key, level + 1)] : [row];
    });
    const rows = directory.files.map((file) => ({
      ...place(),
      key: file.path,
      file,
      name: nameOf(file.path),
    }));
    return [...directories, ...rows];
  };
  return rowsIn(directoryOf(files), undefined, 1);
}

/** Whether a row is the file, or a closed directory that contains it. */
export const isRowOf = (row: ChangedRow, path: string): boolean =>
  "file" in row ? row.key === path : !row.isOpen && path.startsWith(row.key);
