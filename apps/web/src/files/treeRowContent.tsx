import { ChevronDown, ChevronRight, File, FileSymlink, FolderGit2 } from "lucide-react";
import { VisibleName } from "../ui/visibleName";
import type { EntryRow, NoteRow, TreeRow } from "./treeRows";

const notes: Record<NoteRow["note"], string> = {
  loading: "Loading…",
  failed: "Could not list this directory. Try again.",
  empty: "Empty",
  truncated: "There are more entries than can be listed.",
};

const kindNames: Partial<Record<EntryRow["kind"], string>> = {
  link: "link",
  submodule: "submodule",
  other: "special file",
};

const icons = { file: File, link: FileSymlink, submodule: FolderGit2, other: File };

/** The icon, the name and the kind of a row. */
export function TreeRowContent({ row }: { row: TreeRow }) {
  if (!("path" in row))
    return (
      <span className={`truncate pl-5 ${row.note === "failed" ? "text-danger" : "text-muted"}`}>
        {notes[row.note]}
      </span>
    );
  const Icon = row.kind === "directory" ? (row.isOpen ? ChevronDown : ChevronRight) : icons[row.kind];
  const kind = kindNames[row.kind];
  return (
    <>
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <VisibleName className={`truncate ${row.ignored ? "text-muted italic" : ""}`}>{row.name}</VisibleName>
      {kind && <span className="shrink-0 text-muted text-xs">{kind}</span>}
      {row.ignored && <span className="sr-only">ignored by git</span>}
    </>
  );
}
