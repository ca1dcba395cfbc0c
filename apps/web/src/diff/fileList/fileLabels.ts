import { type DiffFile, type DiffStatus, visibleName } from "@grove/schemas";
import { hunksOf } from "../patch/hunks";

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

const LINK = "120000";
const SUBMODULE = "160000";
const modes: Record<string, string> = {
  "100644": "regular file",
  "100755": "executable file",
  [LINK]: "symbolic link",
  [SUBMODULE]: "submodule",
};

/** Returns the first removed or added line, without its sign. */
const lineWith = (sign: "-" | "+", { patch }: DiffFile): string | undefined =>
  hunksOf(patch ?? "")
    .split("\n")
    .find((line) => line.startsWith(sign))
    ?.slice(1);

/** Returns the target of a symbolic link, or the commit of a submodule, on one side; undefined for other files. */
function targetOn(side: "before" | "after", file: DiffFile): string | undefined {
  const mode = side === "before" ? file.oldMode : file.mode;
  const line = lineWith(side === "before" ? "-" : "+", file);
  if (line === undefined) return undefined;
  if (mode === LINK) return visibleName(line);
  if (mode === SUBMODULE) return line.replace(/^Subproject commit (.{8}).*$/, "$1");
  return undefined;
}

/** Describes a changed symbolic link or submodule by both sides, since their lines do not say what they are. */
function targetNote(file: DiffFile): string | undefined {
  const [before, after] = [targetOn("before", file), targetOn("after", file)];
  const isLink = [file.oldMode, file.mode].includes(LINK);
  if (after !== undefined && before !== undefined)
    return isLink
      ? `Symbolic link to ${after}, before to ${before}.`
      : `Submodule, from ${before} to ${after}.`;
  if (after !== undefined) return isLink ? `Symbolic link to ${after}.` : `Submodule at ${after}.`;
  if (before !== undefined) return isLink ? `Symbolic link to ${before}.` : `Submodule at ${before}.`;
  return undefined;
}

/** Returns why a file has no lines to show, what a link or a submodule refers to, or how its mode has changed. */
export function noteOf(file: DiffFile): string | undefined {
  if (file.omitted) return omissionTexts[file.omitted];
  if (file.binary) return "Binary file.";
  if (file.oldMode && file.mode && file.oldMode !== file.mode)
    return `Mode changed from ${modes[file.oldMode] ?? file.oldMode} to ${modes[file.mode] ?? file.mode}.`;
  if (file.insertions + file.deletions > 0) return targetNote(file);
  if (file.status === "renamed") return "Renamed without changes.";
  if (file.status === "added" || file.status === "untracked") return "Empty file.";
  return "No lines changed.";
}
