import type { DiffFile } from "@grove/schemas";
import { type FileDiffMetadata, processFile } from "@pierre/diffs";
import { languageOf } from "../languageOf";
import { HEADER, hunksOf, placeholderRows } from "./hunks";
import { hasPatch } from "./patchBatches";

const kinds = {
  added: "new",
  untracked: "new",
  deleted: "deleted",
  modified: "change",
  retyped: "change",
  unmerged: "change",
  renamed: "rename-changed",
} as const satisfies Record<DiffFile["status"], FileDiffMetadata["type"]>;

/** The number of parsed patches. It makes each highlighter cache key unique. */
let parseCount = 0;

/** Placeholder rows by line count, cached because parsing is slow and counts repeat. */
const placeholders = new Map<number, FileDiffMetadata | undefined>();
const MAX_PLACEHOLDERS = 200;

function placeholderOf(file: DiffFile): FileDiffMetadata | undefined {
  const rows = file.insertions + file.deletions;
  if (placeholders.size > MAX_PLACEHOLDERS) placeholders.clear();
  if (!placeholders.has(rows)) placeholders.set(rows, parse(placeholderRows(file)));
  return placeholders.get(rows);
}

const parse = (hunks: string): FileDiffMetadata | undefined =>
  hunks === "" ? undefined : processFile(HEADER + hunks, { isGitDiff: true, disableLineMatching: true });

/** Converts a file to the viewer's format, with placeholder rows until its patch is loaded. */
export function toFileDiff(file: DiffFile, patch: string | null | undefined): FileDiffMetadata {
  const fileFields = { name: file.path, type: kinds[file.status] };
  const isPending = patch === undefined && hasPatch(file);
  const parsed = isPending ? placeholderOf(file) : parse(hunksOf(patch ?? ""));
  const lang = isPending ? "text" : languageOf(file.path);
  return parsed
    ? { ...parsed, ...fileFields, lang, cacheKey: String(++parseCount) }
    : {
        ...fileFields,
        lang,
        isPartial: true,
        hunks: [],
        splitLineCount: 0,
        unifiedLineCount: 0,
        deletionLines: [],
        additionLines: [],
        deletionCharacterCount: 0,
        additionCharacterCount: 0,
      };
}
