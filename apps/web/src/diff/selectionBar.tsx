import { X } from "lucide-react";
import { KeyCaps } from "../shortcuts/keyCaps";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button, IconButton } from "../ui/button";
import { Copy } from "../ui/copy";
import { VisibleName } from "../ui/visibleName";
import type { Line, Span } from "./diffLines";
import { lineRangeLabel, quoteLines } from "./quoteLines";

interface SelectionBarProps {
  path: string;
  /** All lines of the file's changes. */
  lines: readonly Line[];
  span: Span;
  /** The URL of the selected lines. */
  link: string;
  /** The label of the "ask an agent" button. */
  ask: string;
  /** Called with the quoted lines. */
  onAsk: (quote: string) => void;
  onClear: () => void;
}

/** The actions for the selected lines. The bar overlays the changes, so that they do not shift. */
export function SelectionBar({ path, lines, span, link, ask, onAsk, onClear }: SelectionBarProps) {
  const run = () => onAsk(quoteLines(path, lines, span));
  useShortcuts({
    title: "Selected lines",
    scope: "page",
    shortcuts: [
      { keys: "a", title: ask, run },
      { keys: "Escape", title: "Clear the selection" },
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
          {ask}
          <span
            aria-hidden="true"
            className="max-sm:hidden [&_kbd]:border-on-accent/50 [&_kbd]:text-on-accent"
          >
            <KeyCaps keys="a" />
          </span>
        </Button>
        <Copy text={link} label="Copy a link to these lines" />
        <IconButton label="Clear the selection" onClick={onClear}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
    </section>
  );
}
