import type { FileDiffMetadata } from "@pierre/diffs";
import { type RefObject, useEffect, useEffectEvent } from "react";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { onKeys } from "../../ui/inputMethod";
import { type DiffLocation, linkTo } from "../location/urlFragment";
import { EMPTY_DIFF, linesOf, type Span, spanOf } from "../patch/diffLines";
import { changesOf } from "../patch/hunks";
import type { CommentRange } from "./commentRange";
import { LineSelectionBar } from "./lineSelectionBar";
import { lineRangeLabel } from "./quoteLines";
import { selectLines, type ViewHandle } from "./selectLines";

interface LineSelectionProps {
  view: RefObject<ViewHandle | null>;
  /** The lines that the user has selected with the pointer or the keyboard. */
  selection: ReturnType<ViewHandle["getSelectedLines"]>;
  /** The current file; undefined while its lines cannot be selected. */
  current: string | undefined;
  diffOf: (path: string) => FileDiffMetadata | undefined;
  /** The lines to select, from the URL. */
  target: DiffLocation | undefined;
  onTargetSelected: () => void;
  /** The keyboard or the URL has moved the selection. */
  onMove: (announcement: string) => void;
  /** The label of the "ask an agent" button. */
  askLabel: string;
  onAsk: (quote: string) => void;
  onComment: (range: CommentRange) => void;
}

const SELF_HANDLED_KEYS = "input, select, textarea, [role=dialog], [role=menu]";

/** Handles the keys that select lines, and shows the actions for the selected lines. */
export function LineSelection({
  view,
  selection,
  current,
  diffOf,
  askLabel,
  onAsk,
  onComment,
  ...more
}: LineSelectionProps) {
  const { target, onTargetSelected, onMove } = more;
  const diff = selection ? diffOf(selection.id) : undefined;
  const span = selection && diff ? spanOf(linesOf(diff), selection.range) : undefined;
  const go = (path: string, to: Span) => {
    const selected = diffOf(path);
    if (!selected) return;
    selectLines(view.current, path, selected, to);
    onMove(`${lineRangeLabel(path, linesOf(selected), to)} selected`);
  };
  /** Moves the selection's head by a line, and its anchor too unless `extend`. */
  const move = (by: 1 | -1, extend: boolean) => {
    const path = selection && span ? selection.id : current;
    const lines = linesOf((path !== undefined && diffOf(path)) || EMPTY_DIFF);
    if (path === undefined || lines.length === 0) return;
    if (!span) {
      const [change] = changesOf(diffOf(path) ?? EMPTY_DIFF);
      const first = change && spanOf(lines, { ...change, end: change.start });
      return go(path, first ?? [0, 0]);
    }
    const head = Math.max(0, Math.min(span[1] + by, lines.length - 1));
    go(path, extend ? [span[0], head] : [head, head]);
  };
  const clear = () => view.current?.setSelectedLines(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (event.target instanceof Element && event.target.closest(SELF_HANDLED_KEYS)) return;
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
    const linked = diffOf(path);
    const to = linked && lines && spanOf(linesOf(linked), lines);
    if (to) go(path, to);
    else onMove("The linked lines are no longer part of the changes");
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
      { keys: "Shift+↓", title: "Extend the selection; Shift+↑ shrinks it" },
      // With a selection, its bar has the key.
      ...(selection ? [] : [{ keys: "c", title: "Comment on the selected lines" }]),
    ],
  });
  if (!selection || !diff || !span) return null;
  return (
    <LineSelectionBar
      path={selection.id}
      lines={linesOf(diff)}
      span={span}
      link={linkTo({ path: selection.id, lines: selection.range })}
      askLabel={askLabel}
      onAsk={onAsk}
      onComment={onComment}
      onClear={clear}
    />
  );
}
