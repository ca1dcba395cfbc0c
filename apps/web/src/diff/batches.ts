import type { DiffFile } from "@grove/schemas";

/** The most lines and files that are asked for together. The first lines should be there soon. */
const FIRST_LINES = 400;
const LINES = 4_000;
const FILES = 100;

/** Whether a file has a patch to ask for. */
export const hasPatch = ({ binary, omitted, insertions, deletions }: DiffFile): boolean =>
  !binary && omitted === null && insertions + deletions > 0;

/** The files to ask for together: in the order of the list, none without a patch. */
export function batchesOf(files: readonly DiffFile[]): DiffFile[][] {
  const batches: DiffFile[][] = [];
  let room = 0;
  for (const file of files.filter(hasPatch)) {
    const lines = file.insertions + file.deletions;
    const last = batches.at(-1);
    if (last && lines <= room && last.length < FILES) last.push(file);
    else {
      batches.push([file]);
      room = batches.length === 1 ? FIRST_LINES : LINES;
    }
    room -= lines;
  }
  return batches;
}
