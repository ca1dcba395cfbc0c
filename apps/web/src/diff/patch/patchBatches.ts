import type { DiffFile } from "@grove/schemas";

/** The limits of a batch. The first one is small, so that the first lines appear soon. */
const MAX_FIRST_LINES = 400;
const MAX_LINES = 4_000;
const MAX_FILES = 100;

/** Whether the device has a patch for this file. */
export const hasPatch = ({ binary, omitted, insertions, deletions }: DiffFile): boolean =>
  !binary && omitted === null && insertions + deletions > 0;

/** Groups the files with a patch into batches, in the order of the list. */
export function batchesOf(files: readonly DiffFile[]): DiffFile[][] {
  const batches: DiffFile[][] = [];
  let linesLeft = 0;
  for (const file of files.filter(hasPatch)) {
    const lines = file.insertions + file.deletions;
    const last = batches.at(-1);
    if (last && lines <= linesLeft && last.length < MAX_FILES) last.push(file);
    else {
      batches.push([file]);
      linesLeft = batches.length === 1 ? MAX_FIRST_LINES : MAX_LINES;
    }
    linesLeft -= lines;
  }
  return batches;
}
