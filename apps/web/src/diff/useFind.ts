import type { DiffFile } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useDeferredValue, useEffect, useMemo, useState } from "react";
import { hasPatch } from "./batches";
import { type Found, find, step } from "./find";
import { linesOf } from "./lines";
import { type Handle, select } from "./select";
import type { Patches } from "./usePatches";

export interface FindOptions {
  view: RefObject<Handle | null>;
  files: readonly DiffFile[];
  patches: Patches;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  /** Goes to a file, and unfolds it. */
  onShow: (path: string) => void;
}

/** Finds a text in all files. Those that are not there yet are read one batch after the other. */
export function useFind({ files, patches: { byPath, error, want }, diffOf, onShow, view }: FindOptions) {
  const [text, setText] = useState("");
  const [current, setCurrent] = useState<Found>();
  const wanted = useDeferredValue(text);
  const missing = useMemo(
    () => files.filter((file) => hasPatch(file) && !byPath.has(file.path)).map(({ path }) => path),
    [files, byPath],
  );
  const found = useMemo(() => {
    const paths = files.map(({ path }) => path).filter((path) => byPath.has(path));
    return find(paths, (path) => linesOf(diffOf(path) ?? NOTHING), wanted);
  }, [files, byPath, diffOf, wanted]);
  const [next] = missing;
  useEffect(() => {
    if (next !== undefined && !error) want([next]);
  }, [next, error, want]);
  return {
    text,
    found: found.length,
    /** The number of the line that is shown, from 1; 0 for none. */
    at: found.findIndex(({ path, at }) => path === current?.path && at === current.at) + 1,
    /** How many files are still to be read. */
    left: missing.length,
    setText,
    go: (by: 1 | -1) => {
      const to = step(found, current, by);
      setCurrent(to);
      if (!to) return;
      onShow(to.path);
      // A file that was folded has its lines as soon as the page is drawn.
      requestAnimationFrame(() => {
        const diff = diffOf(to.path);
        if (diff) select(view.current, to.path, diff, [to.at, to.at]);
      });
    },
  };
}

const NOTHING = { hunks: [], additionLines: [], deletionLines: [] };
