import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { RefObject } from "react";
import { IconButton } from "../ui/button";
import { onKeys } from "../ui/inputMethod";
import type { Emulator } from "./emulator/emulator";
import { isFindKey } from "./input/pageKeys";
import { useTerminalFind } from "./useTerminalFind";

interface FindBarProps {
  emulator: RefObject<Emulator | undefined>;
  onClose: () => void;
}

/** The find bar of a terminal: Enter goes to the next match, Shift+Enter to the previous one. */
export function TerminalFindBar({ emulator, onClose }: FindBarProps) {
  const find = useTerminalFind(emulator);
  return (
    <search
      onKeyDown={onKeys((event) => {
        if (event.key === "Escape") onClose();
        else if (!isFindKey(event)) return;
        event.preventDefault();
      })}
      className="absolute top-0 right-0 z-10 flex max-w-full flex-wrap items-center gap-1 rounded-bl-lg border-line border-b border-l bg-raised px-2 py-1.5 shadow-pop"
    >
      <input
        type="search"
        aria-label="Find in the terminal"
        placeholder="Find"
        value={find.text}
        onChange={({ target }) => find.setText(target.value)}
        onKeyDown={onKeys((event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          find.goToMatch(event.shiftKey ? -1 : 1);
        })}
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the bar.
        autoFocus
        className="h-8 w-40 rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0 sm:w-56"
      />
      <p role="status" className="min-w-20 px-1 text-muted text-sm">
        {resultText(find)}
      </p>
      <IconButton label="Previous match (Shift+Enter)" onClick={() => find.goToMatch(-1)}>
        <ChevronUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Next match (Enter)" onClick={() => find.goToMatch(1)}>
        <ChevronDown aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Close (Esc)" onClick={onClose}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </search>
  );
}

function resultText({ text, count, current, isCapped }: ReturnType<typeof useTerminalFind>): string {
  if (text === "") return "";
  if (count === 0) return "No matches";
  const total = `${count}${isCapped ? "+" : ""}`;
  return current > 0 ? `${current} of ${total}` : `${total} ${count === 1 ? "match" : "matches"}`;
}
