import type { AgentSession } from "@grove/schemas";
import { Button, buttonClass } from "../../ui/button";
import { pluralize } from "../../ui/pluralize";
import type { TerminalState } from "../useTerminal";
import { ClipboardPrompt } from "./clipboardPrompt";
import { FailedInputPrompt } from "./failedInputPrompt";
import { SlowInputPrompt } from "./slowInputPrompt";
import { TerminalPrompt } from "./terminalPrompt";

interface PromptOverlayProps {
  organizationId: string;
  session: AgentSession;
  terminal: TerminalState;
}

/**
 * Prompts for unconfirmed input, multi-line pastes, links and clipboard requests. They overlay the terminal, because a
 * resize would make the program redraw its whole screen.
 */
export function PromptOverlay({ organizationId, session, terminal }: PromptOverlayProps) {
  const { isSizeKnown, failedInput, slowText, pasteText, linkUrl, clipboardText } = terminal;
  return (
    <div className="absolute inset-x-0 top-0 z-10 max-h-full overflow-y-auto">
      {failedInput && (
        <FailedInputPrompt
          organizationId={organizationId}
          session={session}
          failedInput={failedInput}
          resume={terminal.resume}
          onEscape={terminal.returnFocus}
        />
      )}
      {slowText !== "" && !failedInput && (
        <SlowInputPrompt
          organizationId={organizationId}
          session={session}
          text={slowText}
          onDiscard={terminal.discardInput}
          onEscape={terminal.returnFocus}
        />
      )}
      {isSizeKnown && pasteText !== undefined && (
        <TerminalPrompt
          title={`Paste ${pluralize(pasteText.trimEnd().split("\n").length, "line")}?`}
          text={pasteText}
          takesFocus
          onEscape={() => terminal.paste(undefined)}
        >
          <Button look="primary" onClick={() => terminal.paste(pasteText)}>
            Paste
          </Button>
          <Button look="quiet" onClick={() => terminal.paste(undefined)}>
            Do not paste
          </Button>
        </TerminalPrompt>
      )}
      {linkUrl !== undefined && (
        <TerminalPrompt title="The program links to:" text={linkUrl} takesFocus onEscape={terminal.closeLink}>
          <a
            href={linkUrl}
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
      {clipboardText !== undefined && (
        <ClipboardPrompt text={clipboardText} onClose={terminal.closeClipboard} />
      )}
    </div>
  );
}
