import { ChevronDown, ChevronUp, X } from "lucide-react";
import { IconButton } from "../../ui/button";
import { onKeys } from "../../ui/inputMethod";
import { pluralize } from "../../ui/pluralize";
import { type FindOptions, useDiffFind } from "./useDiffFind";

interface FindBarProps extends FindOptions {
  onClose: () => void;
}

/** The find bar: Enter goes to the next matching line, Shift+Enter to the previous one. */
export function DiffFindBar({ onClose, ...options }: FindBarProps) {
  const find = useDiffFind(options);
  return (
    <search className="flex flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-3 py-1.5">
      <input
        type="search"
        aria-label="Find in the changes"
        placeholder="Find in the changes"
        value={find.text}
        onChange={({ target }) => find.setText(target.value)}
        onKeyDown={onKeys((event) => {
          if (event.key === "Enter") find.goToMatch(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
        })}
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the bar.
        autoFocus
        className="h-8 min-w-40 max-w-80 flex-1 rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0"
      />
      <IconButton label="Previous line (Shift+Enter)" onClick={() => find.goToMatch(-1)}>
        <ChevronUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Next line (Enter)" onClick={() => find.goToMatch(1)}>
        <ChevronDown aria-hidden="true" className="size-4" />
      </IconButton>
      <p role="status" className="text-muted text-sm">
        {resultText(find)}
      </p>
      <span className="ml-auto">
        <IconButton label="Close (Esc)" onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
    </search>
  );
}

function resultText({
  text,
  matchCount,
  currentNumber,
  unloadedCount,
}: ReturnType<typeof useDiffFind>): string {
  const unloadedText = unloadedCount > 0 ? `, ${pluralize(unloadedCount, "more file")} to search…` : "";
  if (text === "") return "";
  if (matchCount === 0) return `No matches${unloadedText}`;
  return `${currentNumber > 0 ? `${currentNumber} of ` : ""}${pluralize(matchCount, "line")}${unloadedText}`;
}
