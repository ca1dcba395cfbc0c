import type { DiffFile } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useDeferredValue, useEffect, useMemo, useState } from "react";
import { EMPTY_DIFF, linesOf } from "../patch/diffLines";
import { hasPatch } from "../patch/patchBatches";
import { selectLines, type ViewHandle } from "../selection/selectLines";
import type { Patches } from "../usePatches";
import { find, type Match, nextMatch } from "./find";

export interface FindOptions {
  view: RefObject<ViewHandle | null>;
  files: readonly DiffFile[];
  patches: Patches;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  /** Scrolls to a file and unfolds it. */
  onShow: (path: string) => void;
}

/** Finds a text in all files, and loads the missing patches batch by batch. */
export function useDiffFind({
  files,
  patches: { byPath, error, requestPatches },
  diffOf,
  onShow,
  view,
}: FindOptions) {
  const [text, setText] = useState("");
  const [current, setCurrent] = useState<Match>();
  const deferredText = useDeferredValue(text);
  const unloadedPaths = useMemo(
    () => files.filter((file) => hasPatch(file) && !byPath.has(file.path)).map(({ path }) => path),
    [files, byPath],
  );
  const matches = useMemo(() => {
    const paths = files.map(({ path }) => path).filter((path) => byPath.has(path));
    return find(paths, (path) => linesOf(diffOf(path) ?? EMPTY_DIFF), deferredText);
  }, [files, byPath, diffOf, deferredText]);
  const [next] = unloadedPaths;
  useEffect(() => {
    if (next !== undefined && !error) requestPatches([next]);
  }, [next, error, requestPatches]);
  return {
    text,
    matchCount: matches.length,
    /** The number of the current match, from 1; 0 for none. */
    currentNumber: matches.findIndex(({ path, at }) => path === current?.path && at === current.at) + 1,
    /** The number of files whose patch is not loaded yet. */
    unloadedCount: unloadedPaths.length,
    setText,
    goToMatch: (step: 1 | -1) => {
      const match = nextMatch(matches, current, step);
      setCurrent(match);
      if (!match) return;
      onShow(match.path);
      // The lines of a file that was folded exist only after the next render.
      requestAnimationFrame(() => {
        const diff = diffOf(match.path);
        if (diff) selectLines(view.current, match.path, diff, [match.at, match.at]);
      });
    },
  };
}
