import type { DiffFile } from "@grove/schemas";
import { useState } from "react";
import { markViewed, viewedOf } from "./viewedFiles";

const withPath = (paths: ReadonlySet<string>, path: string, isIncluded: boolean): ReadonlySet<string> =>
  new Set([...[...paths].filter((each) => each !== path), ...(isIncluded ? [path] : [])]);

/** The viewed and the folded files. Marking a file as viewed folds it. */
export function useFileMarks(workspaceId: string, files: readonly DiffFile[]) {
  const [viewed, setViewed] = useState<ReadonlySet<string>>(() => viewedOf(workspaceId, files));
  const [folded, setFolded] = useState(viewed);
  const fold = (path: string, isFolded = !folded.has(path)) =>
    setFolded((before) => withPath(before, path, isFolded));
  const setIsViewed = (file: DiffFile, isViewed: boolean) => {
    markViewed(workspaceId, file, isViewed);
    setViewed((before) => withPath(before, file.path, isViewed));
    fold(file.path, isViewed);
  };
  return { viewed, folded, fold, setIsViewed };
}

export type FileMarks = ReturnType<typeof useFileMarks>;
