import type { AgentSession } from "@grove/schemas";
import { Button, buttonClass } from "../ui/button";
import { Ask } from "./ask";
import { StuckAsk } from "./stuckAsk";
import type { TerminalState } from "./useTerminal";

interface AsksProps {
  organizationId: string;
  session: AgentSession;
  terminal: TerminalState;
}

/**
 * Questions of the terminal to the person: another terminal that gives its place, an unsure text, a paste of several
 * lines, a link of the program.
 */
export function Asks({ organizationId, session, terminal }: AsksProps) {
  const { hasPlace, shown, stuck, pasted, link } = terminal;
  return (
    <>
      {!hasPlace && (
        <Ask title="Paused: too many terminals are open." hint="It goes on when another one is closed.">
          <Button onClick={terminal.takePlace}>Show this one</Button>
        </Ask>
      )}
      {stuck && <StuckAsk {...{ organizationId, session, stuck }} resume={terminal.resume} />}
      {shown && pasted !== undefined && (
        <Ask title={`Paste ${pasted.trimEnd().split("\n").length} lines?`} text={pasted}>
          <Button look="primary" onClick={() => terminal.paste(pasted)} autoFocus>
            Paste
          </Button>
          <Button look="quiet" onClick={() => terminal.paste(undefined)}>
            Do not paste
          </Button>
        </Ask>
      )}
      {link !== undefined && (
        <Ask title="The program links to:" text={link}>
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
    </>
  );
}
