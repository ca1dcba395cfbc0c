import type { DiffFile, WorkspaceDiff } from "@grove/schemas";
import { hasPatch } from "./patchBatches";

/** The list of changed files, and the patches of some of them. */
export interface ReadDiff {
  /** The list without patches, so that two answers are equal if nothing has changed between them. */
  diff: WorkspaceDiff;
  /** The files whose patches came with the list. */
  patches: DiffFile[];
}

/**
 * Splits an answer into the file list and the patches. The list equals an answer that was requested without patches.
 */
export const splitDiff = (answer: WorkspaceDiff): ReadDiff => ({
  diff: {
    ...answer,
    truncated: false,
    files: answer.files.map((file) => ({
      ...file,
      patch: null,
      omitted: isOmittedForSpace(file) ? null : file.omitted,
    })),
  },
  patches: answer.files.filter((file) => file.patch !== null && hasPatch(file)),
});

/**
 * Whether a patch was omitted because the answer was full. A separate request returns the patch or the reason why there
 * is none. Git counts no lines in files that it does not compare, so such a file has no patch at all.
 */
const isOmittedForSpace = ({ omitted, insertions, deletions }: DiffFile): boolean =>
  omitted === "no_room" || (omitted === "too_large" && insertions + deletions > 0);
