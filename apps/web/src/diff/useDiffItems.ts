import type { DiffFile } from "@grove/schemas";
import type { CodeViewDiffItem } from "@pierre/diffs";
import { useCallback, useMemo, useRef } from "react";
import { toFileDiff } from "./patch/toFileDiff";
import { hasPictures } from "./pictures";
import type { Patches } from "./usePatches";

/** Returns the items of the scroll area, and a function that returns the parsed diff of a path. */
export function useDiffItems(
  files: readonly DiffFile[],
  byPath: Patches["byPath"],
  folded: ReadonlySet<string>,
) {
  /** Items by path. An unchanged item stays the same object: a new one makes the viewer lay out all items again. */
  const itemsByPath = useRef(new Map<string, { patch: string | null | undefined; item: CodeViewDiffItem }>());
  const diffOf = useCallback((path: string) => itemsByPath.current.get(path)?.item.fileDiff, []);
  const items = useMemo(
    () =>
      files.map((file): CodeViewDiffItem => {
        const patch = byPath.get(file.path)?.patch;
        const collapsed = folded.has(file.path);
        const before = itemsByPath.current.get(file.path);
        const hasSamePatch = before?.patch === patch;
        if (before && hasSamePatch && before.item.collapsed === collapsed) return before.item;
        const fileDiff = before && hasSamePatch ? before.item.fileDiff : toFileDiff(file, patch);
        const version = (patch === undefined ? 0 : 2) + (collapsed ? 1 : 0);
        const item: CodeViewDiffItem = {
          id: file.path,
          type: "diff",
          fileDiff,
          collapsed,
          version,
          // Line 0 is above the first line.
          ...(hasPictures(file) && {
            annotations: [{ side: file.status === "deleted" ? "deletions" : "additions", lineNumber: 0 }],
          }),
        };
        itemsByPath.current.set(file.path, { patch, item });
        return item;
      }),
    [files, byPath, folded],
  );
  return { items, diffOf };
}
