import type { AgentSession } from "@grove/schemas";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { sessionName } from "../lib/agentSessions/sessionName";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { isMac } from "../shortcuts/keyCaps";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { onKeys } from "../ui/inputMethod";
import { downloadText, textFileName } from "./emulator/downloadText";
import { isFindKey } from "./input/pageKeys";
import { PromptOverlay } from "./prompts/promptOverlay";
import { TerminalBar } from "./terminalBar";
import { UnreadableOutput } from "./unreadableOutput";
import { type TerminalState, useTerminal } from "./useTerminal";

export { LiveScreen } from "./liveScreen";

const TerminalFindBar = lazily(async () => (await import("./terminalFindBar")).TerminalFindBar);
const KeyRow = lazily(async () => (await import("./input/keyRow")).KeyRow);
/** Touch screens have no keyboard with Escape, Tab, Ctrl, Alt and arrows. */
const hasTouch = matchMedia("(pointer: coarse)").matches;

interface TerminalProps {
  organizationId: string;
  session: AgentSession;
  /** Called when the terminal appears: whether it takes the focus, so that `i` starts typing. */
  shouldTakeFocus: () => boolean;
}

/**
 * The live terminal of a session. It starts read-only, so that a viewer never types by accident and never resizes a
 * terminal in which someone else works. `i` or a button starts typing, and F6 ends it. If typing ends by itself,
 * further keys are swallowed instead of running the page's shortcuts.
 */
export function Terminal({ organizationId, session, shouldTakeFocus }: TerminalProps) {
  const terminal = useTerminal({ organizationId, id: session.id });
  const { host, isTyping, setTyping, holdsKeyboard, keepKeyboard, isSizeKnown, error } = terminal;
  const region = useRegionFocus(terminal, shouldTakeFocus);
  const [isFinding, setFinding] = useState(false);
  const openFind = () => {
    setFinding(true);
    region.current?.querySelector<HTMLElement>("search input")?.focus();
  };
  const isRunning = session.status === "running";
  const canType = isRunning && error === undefined;
  useEffect(() => {
    if (isTyping && !canType) keepKeyboard();
  }, [isTyping, canType, keepKeyboard]);
  useShortcuts({
    title: "Terminal",
    scope: "page",
    shortcuts: [
      canType ? { keys: "i", title: "Type", run: () => setTyping(true) } : { keys: "i", title: "Type" },
      // The terminal itself handles these.
      { keys: "F6", title: "Stop typing" },
      { keys: isMac ? "mod+f" : "Ctrl Shift F", title: "Find in the terminal" },
    ],
  });
  if (error) return <UnreadableOutput organizationId={organizationId} session={session} error={error} />;
  return (
    <section
      ref={region}
      aria-label="Terminal"
      data-terminal
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard, and `i` works while it has the focus.
      tabIndex={0}
      onKeyDown={onKeys((event) => {
        // The find bar handles its own keys.
        if (event.target instanceof Element && event.target.closest("search")) return;
        if (isFindKey(event)) {
          event.preventDefault();
          return openFind();
        }
        const hasNoModifier = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (isTyping || holdsKeyboard || !canType || event.key !== "i" || !hasNoModifier) return;
        event.preventDefault();
        setTyping(true);
      })}
      onBlur={({ relatedTarget }) => {
        // If the whole window loses the focus, it will return.
        if (holdsKeyboard && document.hasFocus() && !host.current?.contains(relatedTarget))
          terminal.releaseKeyboard();
      }}
      className={`flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border ${isTyping ? "border-accent" : "border-line"}`}
    >
      <TerminalBar
        organizationId={organizationId}
        terminal={terminal}
        isRunning={isRunning}
        canType={canType}
        onFind={openFind}
        onDownload={() =>
          downloadText(terminal.emulator.current?.text ?? "", textFileName(sessionName(session)))
        }
      />
      <div className="relative min-h-0 flex-1">
        {/* Until it fits, it would scroll for a moment, without anything in it that takes the focus. */}
        <div className={`h-full bg-terminal p-2 ${isSizeKnown ? "overflow-auto" : "overflow-hidden"}`}>
          <div ref={host} className={`h-full w-full ${isSizeKnown ? "" : "invisible"}`} />
        </div>
        {isFinding && (
          <Suspense fallback={<HoldKeys kind="findBar" />}>
            <TerminalFindBar
              emulator={terminal.emulator}
              onClose={() => {
                setFinding(false);
                terminal.returnFocus();
              }}
            />
          </Suspense>
        )}
        <PromptOverlay organizationId={organizationId} session={session} terminal={terminal} />
      </div>
      {hasTouch && isTyping && (
        <Suspense>
          <KeyRow terminal={terminal} />
        </Suspense>
      )}
    </section>
  );
}

/** Focuses the terminal when the user leaves it, and when it appears if `shouldTakeFocus` returns true. */
function useRegionFocus({ leaveCount, failedInput }: TerminalState, shouldTakeFocus: () => boolean) {
  const region = useRef<HTMLElement>(null);
  const updateFocus = useEffectEvent(() => {
    if (leaveCount === 0 && !shouldTakeFocus()) return;
    // A prompt about input that has stopped comes first.
    const button = failedInput && region.current?.querySelector<HTMLElement>("[role=alert] button");
    (button ?? region.current)?.focus({ preventScroll: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the terminal appears and at each leaving.
  useEffect(() => updateFocus(), [leaveCount]);
  return region;
}
