import type { DiffFile } from "@grove/schemas";
import { type FileDiffMetadata, processFile } from "@pierre/diffs";
import { hasPatch } from "./batches";
import { HEADER, hunksOf, rowsFor } from "./hunks";
import { languageOf } from "./languageOf";

const kinds = {
  added: "new",
  untracked: "new",
  deleted: "deleted",
  modified: "change",
  retyped: "change",
  unmerged: "change",
  renamed: "rename-changed",
} as const satisfies Record<DiffFile["status"], FileDiffMetadata["type"]>;

/** Identifies what was parsed, so that its colours are found again. */
let parses = 0;

/** The rows that hold the place of lines to come, by their number: files often have as many, and parsing takes long. */
const comingRows = new Map<number, FileDiffMetadata | undefined>();
/** The most numbers of rows that are remembered. */
const MOST_NUMBERS = 200;

function rowsOf(file: DiffFile): FileDiffMetadata | undefined {
  const rows = file.insertions + file.deletions;
  if (comingRows.size > MOST_NUMBERS) comingRows.clear();
  if (!comingRows.has(rows)) comingRows.set(rows, parse(rowsFor(file)));
  return comingRows.get(rows);
}

const parse = (hunks: string): FileDiffMetadata | undefined =>
  hunks === "" ? undefined : processFile(HEADER + hunks, { isGitDiff: true, disableLineMatching: true });

/** A file for the viewer, with empty rows until its patch is there. */
export function toFileDiff(file: DiffFile, patch: string | null | undefined): FileDiffMetadata {
  const own = { name: file.path, type: kinds[file.status] };
  const isComing = patch === undefined && hasPatch(file);
  const parsed = isComing ? rowsOf(file) : parse(hunksOf(patch ?? ""));
  const lang = isComing ? "text" : languageOf(file.path);
  return parsed
    ? { ...parsed, ...own, lang, cacheKey: String(++parses) }
    : {
        ...{ ...own, lang, isPartial: true, hunks: [], splitLineCount: 0, unifiedLineCount: 0 },
        ...{ deletionLines: [], additionLines: [], deletionCharacterCount: 0, additionCharacterCount: 0 },
      };
}
