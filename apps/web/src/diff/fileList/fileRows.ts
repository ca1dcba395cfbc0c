import type { DiffFile } from "@grove/schemas";

/** A row of the file list: a directory, or a file with its index. */
export type Row = { directory: string } | { file: DiffFile; index: number; name: string };

/** Inserts a row for each directory above its files. The files keep their order. */
export function rowsOf(files: readonly DiffFile[]): Row[] {
  const rows: Row[] = [];
  let lastDirectory = "";
  for (const [index, file] of files.entries()) {
    const slash = file.path.lastIndexOf("/");
    const directory = file.path.slice(0, slash + 1);
    if (directory !== lastDirectory) {
      rows.push({ directory: directory === "" ? "./" : directory });
      lastDirectory = directory;
    }
    rows.push({ file, index, name: file.path.slice(slash + 1) });
  }
  return rows;
}
