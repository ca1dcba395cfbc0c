import type { DiffFile } from "@grove/schemas";
import { useState } from "react";
import { markViewed, viewedOf } from "./viewedFiles";
import { withPath } from "./withPath";

/** The viewed files. Marking a file as viewed folds it. */
export function useViewedFiles(
  workspaceId: string,
  files: readonly DiffFile[],
  fold: (path: string, isFolded: boolean) => void,
) {
  const [viewed, setViewed] = useState<ReadonlySet<string>>(() => viewedOf(workspaceId, files));
  const setIsViewed = (file: DiffFile, isViewed: boolean) => {
    markViewed(workspaceId, file, isViewed);
    setViewed((before) => withPath(before, file.path, isViewed));
    fold(file.path, isViewed);
  };
  return { viewed, setIsViewed };
}

export type ViewedFiles = ReturnType<typeof useViewedFiles>;
