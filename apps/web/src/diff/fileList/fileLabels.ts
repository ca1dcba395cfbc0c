import type { DiffFile, DiffStatus } from "@grove/schemas";

/** The letter and the label of a file's change. */
export const statuses = {
  added: { letter: "A", label: "Added" },
  untracked: { letter: "U", label: "Untracked" },
  modified: { letter: "M", label: "Modified" },
  deleted: { letter: "D", label: "Deleted" },
  renamed: { letter: "R", label: "Renamed" },
  retyped: { letter: "T", label: "Type changed" },
  unmerged: { letter: "C", label: "Conflict" },
} satisfies Record<DiffStatus, { letter: string; label: string }>;

const omissionTexts = {
  too_large: "Too large to show.",
  no_room: "Not loaded yet.",
  submodule: "There are changes inside this submodule.",
} satisfies Record<NonNullable<DiffFile["omitted"]>, string>;

const modes: Record<string, string> = {
  "100644": "regular file",
  "100755": "executable file",
  "120000": "symbolic link",
  "160000": "submodule",
};

/** Returns why a file has no lines to show, or how its mode has changed. */
export function noteOf(file: DiffFile): string | undefined {
  if (file.omitted) return omissionTexts[file.omitted];
  if (file.binary) return "Binary file.";
  if (file.oldMode && file.mode && file.oldMode !== file.mode)
    return `Mode changed from ${modes[file.oldMode] ?? file.oldMode} to ${modes[file.mode] ?? file.mode}.`;
  if (file.insertions + file.deletions > 0) return undefined;
  if (file.status === "renamed") return "Renamed without changes.";
  if (file.status === "added" || file.status === "untracked") return "Empty file.";
  return "No lines changed.";
}
