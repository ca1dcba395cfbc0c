import type { AgentSession } from "@grove/schemas";
import { Button, buttonClass } from "../ui/button";
import { Ask } from "./ask";
import { CopyAsk } from "./copyAsk";
import { SlowAsk } from "./slowAsk";
import { StuckAsk } from "./stuckAsk";
import type { TerminalState } from "./useTerminal";

interface AsksProps {
  organizationId: string;
  session: AgentSession;
  terminal: TerminalState;
}

/**
 * Questions of the terminal to the person: another terminal that gives its place, an unsure text, a paste of several
 * lines, a link of the program, a text that the program offers for the clipboard. They cover the terminal, whose size
 * stays: a program draws its whole screen again for another one.
 */
export function Asks({ organizationId, session, terminal }: AsksProps) {
  const { hasPlace, shown, stuck, slow, pasted, link, offered } = terminal;
  return (
    <div className="absolute inset-x-0 top-0 z-10 max-h-full overflow-y-auto">
      {!hasPlace && (
        <Ask
          title="Paused: too many terminals are open."
          hint="It continues when another one is closed."
          onEscape={terminal.back}
        >
          <Button onClick={terminal.takePlace}>Show this one</Button>
        </Ask>
      )}
      {stuck && (
        <StuckAsk {...{ organizationId, session, stuck }} resume={terminal.resume} onEscape={terminal.back} />
      )}
      {slow !== "" && !stuck && (
        <SlowAsk
          {...{ organizationId, session }}
          text={slow}
          onDiscard={terminal.discard}
          onEscape={terminal.back}
        />
      )}
      {shown && pasted !== undefined && (
        <Ask
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
        </Ask>
      )}
      {link !== undefined && (
        <Ask title="The program links to:" text={link} takesFocus onEscape={terminal.closeLink}>
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
        </Ask>
      )}
      {offered !== undefined && <CopyAsk text={offered} onClose={terminal.closeOffer} />}
    </div>
  );
}
