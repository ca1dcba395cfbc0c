import { SearchAddon } from "@xterm/addon-search";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Emulator } from "./emulator/emulator";
import { currentMatchColours } from "./emulator/terminalTheme";

/** The number of matches that are counted and highlighted. */
const MAX_MATCHES = 1_000;

const NONE = { resultIndex: -1, resultCount: 0 };

/** Finds a text in the terminal's scrollback and screen. The first match is the newest one. */
export function useTerminalFind(emulator: RefObject<Emulator | undefined>) {
  const addon = useRef<SearchAddon>(undefined);
  const [text, setText] = useState("");
  const [{ resultIndex, resultCount }, setResults] = useState(NONE);
  // Not later, because the field may get letters as soon as it appears.
  useLayoutEffect(() => {
    const opened = new SearchAddon({ highlightLimit: MAX_MATCHES });
    const owner = emulator.current;
    owner?.loadAddon(opened);
    const listener = opened.onDidChangeResults(setResults);
    addon.current = opened;
    return () => {
      listener.dispose();
      opened.dispose();
      // So that the next Ctrl+C interrupts the program.
      owner?.clearSelection();
    };
  }, [emulator]);
  const find = (wanted: string, direction: 1 | -1, incremental: boolean) => {
    if (wanted === "") {
      addon.current?.clearDecorations();
      emulator.current?.clearSelection();
      return setResults(NONE);
    }
    const { match, current } = currentMatchColours();
    const decorations = {
      matchBackground: match,
      matchOverviewRuler: match,
      activeMatchBackground: current,
      activeMatchColorOverviewRuler: current,
    };
    if (direction === 1) addon.current?.findNext(wanted, { incremental, decorations });
    else addon.current?.findPrevious(wanted, { incremental, decorations });
  };
  return {
    text,
    count: resultCount,
    isCapped: resultCount >= MAX_MATCHES,
    /** The number of the current match. 0 if it is unknown. */
    current: resultIndex + 1,
    setText: (next: string) => {
      setText(next);
      find(next, -1, true);
    },
    goToMatch: (direction: 1 | -1) => find(text, direction, false),
  };
}
