import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useEffect, useEffectEvent } from "react";
import { useShortcuts } from "../shortcuts/shortcuts";
import { onKeys } from "../ui/inputMethod";
import { linkTo, type Place } from "./address";
import { changesOf } from "./hunks";
import { linesOf, type Span, spanOf } from "./lines";
import { placeOf } from "./quote";
import { type Handle, select } from "./select";
import { SelectionBar } from "./selectionBar";

interface SelectingProps {
  view: RefObject<Handle | null>;
  /** The lines that a person has selected, by pointer or by keys. */
  selection: ReturnType<Handle["getSelectedLines"]>;
  /** The file that is read; undefined while its lines cannot be selected. */
  current: string | undefined;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  /** The place whose lines are to be selected now, and what tells that they are. */
  place: Place | undefined;
  onPlaced: () => void;
  /** The keys, or the address, have gone to other lines. */
  onMove: (words: string) => void;
  /** The words for asking an agent, and what does it. */
  ask: string;
  onAsk: (quote: string) => void;
}

const OWN_KEYS = "input, select, textarea, [role=dialog], [role=menu]";

/** The keys that select lines, and what a person can do with the selected ones. */
export function Selecting({ view, selection, current, diffOf, ask, onAsk, ...more }: SelectingProps) {
  const { place, onPlaced, onMove } = more;
  const diff = selection ? diffOf(selection.id) : undefined;
  const span = selection && diff ? spanOf(linesOf(diff), selection.range) : undefined;
  const go = (path: string, to: Span) => {
    const of = diffOf(path);
    if (!of) return;
    select(view.current, path, of, to);
    onMove(`${placeOf(path, linesOf(of), to)} selected`);
  };
  /** Moves the end of the selection by a line, and its beginning too unless it is extended. */
  const move = (by: 1 | -1, extend: boolean) => {
    const path = selection && span ? selection.id : current;
    const lines = linesOf((path !== undefined && diffOf(path)) || NOTHING);
    if (path === undefined || lines.length === 0) return;
    if (!span) {
      const [change] = changesOf(diffOf(path) ?? NOTHING);
      const first = change && spanOf(lines, { ...change, end: change.start });
      return go(path, first ?? [0, 0]);
    }
    const head = Math.max(0, Math.min(span[1] + by, lines.length - 1));
    go(path, extend ? [span[0], head] : [head, head]);
  };
  const clear = () => view.current?.setSelectedLines(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.closest(OWN_KEYS)) return;
    if (key === "Escape" && selection) clear();
    else if (shiftKey && key === "ArrowDown") move(1, true);
    else if (shiftKey && key === "ArrowUp") move(-1, true);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = onKeys((event: KeyboardEvent) => onKeyDown(event));
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  const selectPlace = useEffectEvent(({ path, lines }: Place) => {
    const of = diffOf(path);
    const to = of && lines && spanOf(linesOf(of), lines);
    if (to) go(path, to);
    else onMove("The lines of the link are no longer among the changes");
    onPlaced();
  });
  useEffect(() => {
    if (place) selectPlace(place);
  }, [place]);
  useShortcuts({
    title: "Lines of the diff",
    scope: "page",
    shortcuts: [
      { keys: "J", title: "Select the next line", run: () => move(1, false) },
      { keys: "K", title: "Select the previous line", run: () => move(-1, false) },
      { keys: "Shift+↓", title: "Select one line more; Shift+↑ one less" },
    ],
  });
  if (!selection || !diff || !span) return null;
  return (
    <SelectionBar
      path={selection.id}
      lines={linesOf(diff)}
      span={span}
      link={linkTo({ path: selection.id, lines: selection.range })}
      ask={ask}
      onAsk={onAsk}
      onClear={clear}
    />
  );
}

const NOTHING = { hunks: [], additionLines: [], deletionLines: [] };
