import { Download, Keyboard, KeyboardOff, Search } from "lucide-react";
import { Suspense } from "react";
import { lazily } from "../lib/browser/lazily";
import { useLiveStatus } from "../live/liveStatus";
import { isMac } from "../shortcuts/keyCaps";
import { Button, IconButton } from "../ui/button";
import { VisibleName } from "../ui/visibleName";
import type { TerminalState } from "./useTerminal";

const TypingUser = lazily(async () => (await import("./typingUser")).TypingUser);

interface TerminalBarProps {
  organizationId: string;
  terminal: TerminalState;
  isRunning: boolean;
  canType: boolean;
  onFind: () => void;
  onDownload: () => void;
}

/** The bar above a terminal: its status and title, and the button that starts and ends typing. */
export function TerminalBar({
  organizationId,
  terminal,
  isRunning,
  canType,
  onFind,
  onDownload,
}: TerminalBarProps) {
  const { isTyping, setTyping, title, typingUserId } = terminal;
  const { isSilent } = useLiveStatus();
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-raised px-3 py-1">
      <span className="flex items-center gap-2 text-sm" role="status">
        <span
          aria-hidden="true"
          className={`size-2 rounded-full ${isTyping ? "bg-accent" : "border-2 border-edge"}`}
        />
        {statusOf(terminal, { isRunning, isSilent })}
      </span>
      <span role="status">
        {typingUserId !== undefined && (
          <Suspense>
            <TypingUser organizationId={organizationId} typingUserId={typingUserId} isTyping={isTyping} />
          </Suspense>
        )}
      </span>
      {title && <VisibleName className="min-w-0 truncate text-muted text-sm">{title}</VisibleName>}
      <span className="ml-auto flex items-center gap-2">
        <span className="flex">
          <IconButton label={`Find (${isMac ? "⌘F" : "Ctrl+Shift+F"})`} onClick={onFind}>
            <Search aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton label="Download the text" onClick={onDownload}>
            <Download aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
        <label className="flex items-center gap-1.5 text-muted text-xs">
          <input
            type="checkbox"
            checked={terminal.screenReader}
            onChange={(event) => terminal.setScreenReader(event.target.checked)}
          />
          Screen reader
        </label>
        {canType && (
          <Button look={isTyping ? "plain" : "primary"} onClick={() => setTyping(!isTyping)}>
            {isTyping ? (
              <KeyboardOff aria-hidden="true" className="size-4" />
            ) : (
              <Keyboard aria-hidden="true" className="size-4" />
            )}
            {isTyping ? "Stop typing" : "Type"}
            <kbd className="rounded border border-current/40 px-1 font-mono text-xs">
              {isTyping ? "F6" : "i"}
            </kbd>
          </Button>
        )}
      </span>
    </div>
  );
}

function statusOf(
  { isConnected, isSizeKnown, isTyping, holdsKeyboard }: TerminalState,
  { isRunning, isSilent }: { isRunning: boolean; isSilent: boolean },
): string {
  const leaveHint = holdsKeyboard ? ". Press Esc to leave" : "";
  if (!isRunning) return `Ended${leaveHint}`;
  if (holdsKeyboard) return "Read-only. Press Esc to leave";
  if (isSilent && !(isConnected && isSizeKnown)) return "No output yet. A proxy may be buffering it";
  if (!isConnected) return "Connecting…";
  return isTyping ? "Typing" : "Read-only";
}
