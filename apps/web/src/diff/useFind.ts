import type { DiffFile } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useDeferredValue, useEffect, useMemo, useState } from "react";
import { hasPatch } from "./batches";
import { linesOf } from "./diffLines";
import { find, type Match, nextMatch } from "./find";
import { type Handle, selectLines } from "./selectLines";
import type { Patches } from "./usePatches";

export interface FindOptions {
  view: RefObject<Handle | null>;
  files: readonly DiffFile[];
  patches: Patches;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  /** Scrolls to a file and unfolds it. */
  onShow: (path: string) => void;
}

/** Finds a text in all files, and loads the missing patches batch by batch. */
export function useFind({ files, patches: { byPath, error, want }, diffOf, onShow, view }: FindOptions) {
  const [text, setText] = useState("");
  const [current, setCurrent] = useState<Match>();
  const searched = useDeferredValue(text);
  const missing = useMemo(
    () => files.filter((file) => hasPatch(file) && !byPath.has(file.path)).map(({ path }) => path),
    [files, byPath],
  );
  const matches = useMemo(() => {
    const paths = files.map(({ path }) => path).filter((path) => byPath.has(path));
    return find(paths, (path) => linesOf(diffOf(path) ?? NOTHING), searched);
  }, [files, byPath, diffOf, searched]);
  const [next] = missing;
  useEffect(() => {
    if (next !== undefined && !error) want([next]);
  }, [next, error, want]);
  return {
    text,
    found: matches.length,
    /** The number of the current match, from 1; 0 for none. */
    at: matches.findIndex(({ path, at }) => path === current?.path && at === current.at) + 1,
    /** The number of files whose patch is not loaded yet. */
    left: missing.length,
    setText,
    go: (by: 1 | -1) => {
      const to = nextMatch(matches, current, by);
      setCurrent(to);
      if (!to) return;
      onShow(to.path);
      // The lines of a file that was folded exist only after the next render.
      requestAnimationFrame(() => {
        const diff = diffOf(to.path);
        if (diff) selectLines(view.current, to.path, diff, [to.at, to.at]);
      });
    },
  };
}

const NOTHING = { hunks: [], additionLines: [], deletionLines: [] };
