import type { DiffFile } from "@grove/schemas";

/** A row of the list of files: a directory, or the file with this number. */
export type Row = { directory: string } | { file: DiffFile; index: number; name: string };

/** The order of a tree: directories before the files beside them, both by name. */
export function byPath(one: { path: string }, other: { path: string }): number {
  const [a, b] = [one.path.split("/"), other.path.split("/")];
  let at = 0;
  while (at < a.length - 1 && at < b.length - 1 && a[at] === b[at]) at += 1;
  const [isFile, isOtherFile] = [at === a.length - 1, at === b.length - 1];
  if (isFile !== isOtherFile) return isFile ? 1 : -1;
  const [name = "", otherName = ""] = [a[at], b[at]];
  return name < otherName ? -1 : name > otherName ? 1 : 0;
}

/** The files by directory, in their order. A directory stands above its files. */
export function rowsOf(files: readonly DiffFile[]): Row[] {
  const rows: Row[] = [];
  let last = "";
  for (const [index, file] of files.entries()) {
    const slash = file.path.lastIndexOf("/");
    const directory = file.path.slice(0, slash + 1);
    if (directory !== last) {
      rows.push({ directory: directory === "" ? "./" : directory });
      last = directory;
    }
    rows.push({ file, index, name: file.path.slice(slash + 1) });
  }
  return rows;
}
