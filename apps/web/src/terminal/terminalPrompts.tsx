import type { AgentSession } from "@grove/schemas";
import { Button, buttonClass } from "../ui/button";
import { ClipboardPrompt } from "./clipboardPrompt";
import { FailedInputPrompt } from "./failedInputPrompt";
import { SlowInputPrompt } from "./slowInputPrompt";
import { TerminalPrompt } from "./terminalPrompt";
import type { TerminalState } from "./useTerminal";

interface TerminalPromptsProps {
  organizationId: string;
  session: AgentSession;
  terminal: TerminalState;
}

/**
 * Prompts for the connection limit, unconfirmed input, multi-line pastes, links and clipboard requests. They overlay
 * the terminal, because a resize would make the program redraw its whole screen.
 */
export function TerminalPrompts({ organizationId, session, terminal }: TerminalPromptsProps) {
  const { hasSlot, shown, stuck, slow, pasted, link, offered } = terminal;
  return (
    <div className="absolute inset-x-0 top-0 z-10 max-h-full overflow-y-auto">
      {!hasSlot && (
        <TerminalPrompt
          title="Paused: too many terminals are open."
          hint="It continues when another terminal is closed."
          onEscape={terminal.back}
        >
          <Button onClick={terminal.takeSlot}>Show this terminal</Button>
        </TerminalPrompt>
      )}
      {stuck && (
        <FailedInputPrompt
          {...{ organizationId, session, stuck }}
          resume={terminal.resume}
          onEscape={terminal.back}
        />
      )}
      {slow !== "" && !stuck && (
        <SlowInputPrompt
          {...{ organizationId, session }}
          text={slow}
          onDiscard={terminal.discard}
          onEscape={terminal.back}
        />
      )}
      {shown && pasted !== undefined && (
        <TerminalPrompt
          title={`Paste ${pasted.trimEnd().split("\n").length} lines?`}
          text={pasted}
          takesFocus
          onEscape={() => terminal.paste(undefined)}
        >
          <Button look="primary" onClick={() => terminal.paste(pasted)}>
            Paste
          </Button>
          <Button look="quiet" onClick={() => terminal.paste(undefined)}>
            Do not paste
          </Button>
        </TerminalPrompt>
      )}
      {link !== undefined && (
        <TerminalPrompt title="The program links to:" text={link} takesFocus onEscape={terminal.closeLink}>
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            onClick={terminal.closeLink}
            className={buttonClass("primary")}
          >
            Open in a new tab
          </a>
          <Button look="quiet" onClick={terminal.closeLink}>
            Do not open
          </Button>
        </TerminalPrompt>
      )}
      {offered !== undefined && <ClipboardPrompt text={offered} onClose={terminal.closeOffer} />}
    </div>
  );
}
