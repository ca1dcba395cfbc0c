import type { AgentSession } from "@grove/schemas";
import { Keyboard, KeyboardOff } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useLiveStatus } from "../live/liveStatus";
import { Button } from "../ui/button";
import { onKeys } from "../ui/inputMethod";
import { VisibleName } from "../ui/visibleName";
import { TerminalPrompts } from "./terminalPrompts";
import { UnreadableOutput } from "./unreadableOutput";
import { useTerminal } from "./useTerminal";

interface TerminalProps {
  organizationId: string;
  session: AgentSession;
  /** Called when the session ends while it is shown. */
  onEnd: (session: AgentSession) => void;
}

/**
 * The live terminal of a session. It starts read-only, so that a viewer never types by accident and never resizes a
 * terminal in which someone else works. `i` or a button starts typing, and F6 ends it. If typing ends by itself,
 * further keys are swallowed instead of running the page's shortcuts.
 */
export function Terminal({ organizationId, session, onEnd }: TerminalProps) {
  const terminal = useTerminal({ organizationId, id: session.id, onEnd });
  const { host, typing, holdsKeyboard, shown, hasSlot, title, error, setTyping, keepKeyboard } = terminal;
  const region = useRef<HTMLElement>(null);
  const { isSilent } = useLiveStatus();
  const runs = session.status === "running";
  const canType = runs && hasSlot && error === undefined;
  const leave = terminal.left;
  const onLeft = useEffectEvent(() => {
    // A prompt about stopped input comes first.
    const answer = terminal.stuck && region.current?.querySelector<HTMLElement>("[role=alert] button");
    (answer ?? region.current)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    // Also on a new page, so that `i` starts typing.
    if (leave >= 0) onLeft();
  }, [leave]);
  useEffect(() => {
    if (typing && !canType) keepKeyboard();
  }, [typing, canType, keepKeyboard]);
  if (error) return <UnreadableOutput organizationId={organizationId} session={session} error={error} />;
  return (
    <section
      ref={region}
      aria-label="Terminal"
      data-terminal
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard, and `i` works while it has the focus.
      tabIndex={0}
      onKeyDown={onKeys((event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (typing || holdsKeyboard || !canType || event.key !== "i" || !isPlain) return;
        event.preventDefault();
        setTyping(true);
      })}
      onBlur={({ relatedTarget }) => {
        // If the whole window loses the focus, it will return.
        if (holdsKeyboard && document.hasFocus() && !host.current?.contains(relatedTarget))
          terminal.releaseKeyboard();
      }}
      className={`flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border ${typing ? "border-accent" : "border-line"}`}
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-raised px-3 py-1">
        <span className="flex items-center gap-2 text-sm" role="status">
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${typing ? "bg-accent" : "border-2 border-edge"}`}
          />
          {statusOf({ ...terminal, runs, isSilent })}
        </span>
        {title && <VisibleName className="min-w-0 truncate text-muted text-sm">{title}</VisibleName>}
        <span className="ml-auto flex items-center gap-2">
          <label className="flex items-center gap-1.5 text-muted text-xs">
            <input
              type="checkbox"
              checked={terminal.screenReader}
              onChange={(event) => terminal.setScreenReader(event.target.checked)}
            />
            Screen reader
          </label>
          {canType && (
            <Button look={typing ? "plain" : "primary"} onClick={() => setTyping(!typing)}>
              {typing ? (
                <KeyboardOff aria-hidden="true" className="size-4" />
              ) : (
                <Keyboard aria-hidden="true" className="size-4" />
              )}
              {typing ? "Only watch" : "Type"}
              <kbd className="rounded border border-current/40 px-1 font-mono text-xs">
                {typing ? "F6" : "i"}
              </kbd>
            </Button>
          )}
        </span>
      </div>
      <div className="relative min-h-0 flex-1">
        <div className="h-full overflow-auto bg-terminal p-2">
          <div ref={host} className={`h-full w-full ${shown ? "" : "invisible"}`} />
        </div>
        <TerminalPrompts organizationId={organizationId} session={session} terminal={terminal} />
      </div>
    </section>
  );
}

interface Status {
  runs: boolean;
  hasSlot: boolean;
  connected: boolean;
  shown: boolean;
  isSilent: boolean;
  typing: boolean;
  holdsKeyboard: boolean;
}

function statusOf(now: Status): string {
  const leave = now.holdsKeyboard ? ". Esc leaves" : "";
  if (!now.runs) return `Ended${leave}`;
  if (!now.hasSlot) return `Paused${leave}`;
  if (now.holdsKeyboard) return "You watch. Esc leaves";
  if (now.isSilent && !(now.connected && now.shown)) return "No output yet. A proxy may hold it back";
  if (!now.connected) return "Connecting …";
  return now.typing ? "You type" : "You watch";
}
