import { X } from "lucide-react";
import { KeyCaps } from "../../shortcuts/keyCaps";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Button, IconButton } from "../../ui/button";
import { CopyButton } from "../../ui/copyButton";
import { VisibleName } from "../../ui/visibleName";
import type { Line, Span } from "../patch/diffLines";
import { type CommentRange, commentRange } from "./commentRange";
import { lineRangeLabel, quoteLines } from "./quoteLines";

interface SelectionBarProps {
  path: string;
  /** All lines of the file's changes. */
  lines: readonly Line[];
  span: Span;
  /** The URL of the selected lines. */
  link: string;
  /** The label of the "ask an agent" button. */
  askLabel: string;
  /** Called with the quoted lines. */
  onAsk: (quote: string) => void;
  /** Called to comment on the lines. */
  onComment: (range: CommentRange) => void;
  onClear: () => void;
}

/** The actions for the selected lines. The bar overlays the changes, so that they do not shift. */
export function LineSelectionBar({ path, lines, span, link, askLabel, ...on }: SelectionBarProps) {
  const { onAsk, onComment, onClear } = on;
  const comment = () => onComment(commentRange(path, lines, span));
  const run = () => onAsk(quoteLines(path, lines, span));
  useShortcuts({
    title: "Selected lines",
    scope: "page",
    shortcuts: [
      { keys: "a", title: askLabel, run },
      { keys: "c", title: "Comment", run: comment },
      { keys: "Escape", title: "Clear selection" },
    ],
  });
  return (
    <section
      aria-label="Selected lines"
      className="absolute right-3 bottom-3 left-3 z-10 ml-auto flex w-fit max-w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 shadow-pop"
    >
      <VisibleName className="wrap-anywhere min-w-0 font-mono text-sm">
        {lineRangeLabel(path, lines, span)}
      </VisibleName>
      <span className="ml-auto flex items-center gap-1">
        <Button look="primary" onClick={run}>
          {askLabel}
          <span aria-hidden="true" className="max-sm:hidden">
            <KeyCaps keys="a" />
          </span>
        </Button>
        <Button onClick={comment}>
          Comment
          <span aria-hidden="true" className="max-sm:hidden">
            <KeyCaps keys="c" />
          </span>
        </Button>
        <CopyButton text={link} label="Copy a link to these lines" />
        <IconButton label="Clear selection" onClick={onClear}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
    </section>
  );
}
