import type { FileDiffMetadata } from "@pierre/diffs";
import type { CodeViewHandle } from "@pierre/diffs/react";
import { linesOf, rangeOf, type Span } from "../patch/diffLines";

export type ViewHandle = CodeViewHandle<undefined, undefined>;

/** Selects lines of a file, and scrolls the last one into view. */
export function selectLines(view: ViewHandle | null, path: string, diff: FileDiffMetadata, span: Span): void {
  const range = rangeOf(linesOf(diff), span);
  if (!view || !range) return;
  view.setSelectedLines({ id: path, range });
  view.scrollTo({
    type: "line",
    id: path,
    lineNumber: range.end,
    align: "nearest",
    behavior: "instant",
    ...(range.endSide && { side: range.endSide }),
  });
}
