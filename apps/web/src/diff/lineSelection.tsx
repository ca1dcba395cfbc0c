import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useEffect, useEffectEvent } from "react";
import { useShortcuts } from "../shortcuts/shortcuts";
import { onKeys } from "../ui/inputMethod";
import { linesOf, type Span, spanOf } from "./diffLines";
import { changesOf } from "./hunks";
import { lineRangeLabel } from "./quoteLines";
import { SelectionBar } from "./selectionBar";
import { type Handle, selectLines } from "./selectLines";
import { type DiffLocation, linkTo } from "./urlFragment";

interface LineSelectionProps {
  view: RefObject<Handle | null>;
  /** The lines that the user has selected with the pointer or the keyboard. */
  selection: ReturnType<Handle["getSelectedLines"]>;
  /** The current file; undefined while its lines cannot be selected. */
  current: string | undefined;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  /** The location from the URL whose lines to select. */
  target: DiffLocation | undefined;
  onTargetSelected: () => void;
  /** The keyboard or the URL has moved the selection. */
  onMove: (announcement: string) => void;
  /** The label of the "ask an agent" button. */
  ask: string;
  onAsk: (quote: string) => void;
}

const HANDLES_OWN_KEYS = "input, select, textarea, [role=dialog], [role=menu]";

/** Handles the keys that select lines, and shows the actions for the selected lines. */
export function LineSelection({ view, selection, current, diffOf, ask, onAsk, ...more }: LineSelectionProps) {
  const { target, onTargetSelected, onMove } = more;
  const diff = selection ? diffOf(selection.id) : undefined;
  const span = selection && diff ? spanOf(linesOf(diff), selection.range) : undefined;
  const go = (path: string, to: Span) => {
    const of = diffOf(path);
    if (!of) return;
    selectLines(view.current, path, of, to);
    onMove(`${lineRangeLabel(path, linesOf(of), to)} selected`);
  };
  /** Moves the selection's head by a line, and its anchor too unless `extend`. */
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
    if (target instanceof Element && target.closest(HANDLES_OWN_KEYS)) return;
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
  const selectTarget = useEffectEvent(({ path, lines }: DiffLocation) => {
    const of = diffOf(path);
    const to = of && lines && spanOf(linesOf(of), lines);
    if (to) go(path, to);
    else onMove("The lines of the link are no longer among the changes");
    onTargetSelected();
  });
  useEffect(() => {
    if (target) selectTarget(target);
  }, [target]);
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
