import { X } from "lucide-react";
import { useEffect } from "react";
import { IconButton } from "../../ui/button";
import { deliveryText, isUndelivered, type Outcome, outcomeText } from "./requestTexts";

/** How long a settled request stays on the page. */
const SHOWN_MS = 10_000;

interface SettledNoteProps {
  outcome: Outcome | undefined;
  /** Whether the card has a text that was not sent. */
  isKept: boolean;
  onDismiss: (() => void) | undefined;
}

/** How a request was settled. Then its card disappears, unless the user has something to do about it. */
export function SettledNote({ outcome, isKept, onDismiss }: SettledNoteProps) {
  const isSettled = outcome !== undefined;
  const stays = !isSettled || isKept || isUndelivered(outcome);
  useEffect(() => {
    if (stays || !onDismiss) return;
    const timer = setTimeout(onDismiss, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, onDismiss]);
  return (
    <div role="status" className="flex items-start gap-2 empty:hidden">
      {isSettled && (
        <>
          <p className="min-w-0 flex-1 text-sm">
            <span className="font-medium">{outcomeText(outcome)}</span>{" "}
            <span className={isUndelivered(outcome) ? "text-warn" : "text-muted"}>
              {deliveryText(outcome)}
            </span>
          </p>
          {onDismiss && (
            <IconButton label="Dismiss the request" onClick={onDismiss}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          )}
        </>
      )}
    </div>
  );
}
