import type { DiffFile } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useRef, useState } from "react";
import { changesOf } from "../patch/hunks";
import type { ViewHandle } from "../selection/selectLines";
import type { Patches } from "../usePatches";

interface NavigationOptions {
  view: RefObject<ViewHandle | null>;
  files: readonly DiffFile[];
  folded: ReadonlySet<string>;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  requestPatches: Patches["requestPatches"];
}

/** The current file, and how to go to another file or change. */
export function useFileNavigation({ view, files, folded, diffOf, requestPatches }: NavigationOptions) {
  const [current, setCurrent] = useState(0);
  const [announcement, announce] = useState("");
  const hunk = useRef(-1);
  /**
   * Whether scrolling changes the current file: only while a person scrolls. Files also move when others load, when the
   * layout changes, or when the page is shown again; and the last files cannot be scrolled to the top.
   */
  const followsScroll = useRef(false);
  const ignoreScroll = () => {
    followsScroll.current = false;
  };
  const goTo = (index: number) => {
    const file = files[index];
    if (!file) return;
    ignoreScroll();
    hunk.current = -1;
    setCurrent(index);
    requestPatches([file.path]);
    view.current?.setSelectedLines(null);
    view.current?.scrollTo({ type: "item", id: file.path, align: "start", behavior: "instant" });
    announce(`${file.path}, ${index + 1} of ${files.length}`);
  };
  const goToHunk = (step: 1 | -1) => {
    const file = files[current];
    const diff = file && diffOf(file.path);
    const next = hunk.current + step;
    const target = diff && !folded.has(file.path) ? changesOf(diff)[next] : undefined;
    if (!file || !target || next < 0) return goTo(current + step);
    ignoreScroll();
    hunk.current = next;
    const { side, start, lines } = target;
    view.current?.scrollTo({
      type: "line",
      id: file.path,
      lineNumber: start,
      side,
      align: "center",
      behavior: "instant",
    });
    view.current?.setSelectedLines({ id: file.path, range: { side, start, end: start + lines - 1 } });
    announce(`Change ${next + 1} of ${diff?.hunks.length} in ${file.path}`);
  };
  /** Makes a file the current one without scrolling to it. */
  const setCurrentPath = (path: string) => {
    ignoreScroll();
    const index = files.findIndex((file) => file.path === path);
    if (index !== -1) setCurrent(index);
  };
  return {
    current,
    file: files[current],
    announcement,
    announce,
    ignoreScroll,
    goTo,
    goToHunk,
    setCurrentPath,
    /** Makes the next `goToHunk(1)` go to the file's first change. */
    resetHunk: () => {
      hunk.current = -1;
    },
    /** Makes the file at the top of the viewport the current one, if a person scrolls. */
    onScrolledTo: (index: number) => {
      if (followsScroll.current) setCurrent(index);
    },
    onUserScroll: () => {
      followsScroll.current = true;
    },
  };
}

export type Navigation = ReturnType<typeof useFileNavigation>;
