import type { DiffFile, WorkspaceDiff } from "@grove/schemas";
import { hasPatch } from "./batches";

/** The files that differ, and the lines of some of them. */
export interface ReadDiff {
  /** The files have no patches, so that two answers are equal if nothing has changed between them. */
  diff: WorkspaceDiff;
  /** The files whose patches came with the list. */
  patches: DiffFile[];
}

/** Parts an answer into its list, which is also the machine's answer without lines, and the lines. */
export const parted = (answer: WorkspaceDiff): ReadDiff => ({
  diff: {
    ...answer,
    truncated: false,
    files: answer.files.map((file) => ({
      ...file,
      patch: null,
      omitted: isForThisAnswer(file) ? null : file.omitted,
    })),
  },
  patches: answer.files.filter((file) => file.patch !== null && hasPatch(file)),
});

/**
 * Whether a patch is missing because of this answer's bounds. An answer of its own has room for it, or says why not.
 * Git counts no lines in files that it does not compare.
 */
const isForThisAnswer = ({ omitted, insertions, deletions }: DiffFile): boolean =>
  omitted === "no_room" || (omitted === "too_large" && insertions + deletions > 0);
