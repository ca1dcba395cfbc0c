import type { DiffFile } from "@grove/schemas";
import { useState } from "react";
import { viewedOf } from "./viewedFiles";
import { withPath } from "./withPath";

/** The folded files: at first, those that are marked as viewed. */
export function useFoldedFiles(workspaceId: string, files: readonly DiffFile[]) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => viewedOf(workspaceId, files));
  const fold = (path: string, isFolded = !folded.has(path)) =>
    setFolded((before) => withPath(before, path, isFolded));
  return { folded, fold };
}

export type FoldedFiles = ReturnType<typeof useFoldedFiles>;
