import type { ReactNode } from "react";
import { marked } from "../app/hidden";
import { Button, buttonClass } from "../ui/button";
import { wordsOf } from "../ui/problem";
import type { Stuck } from "./input";
import type { TerminalState } from "./useTerminal";

/**
 * Questions of the terminal to the person: another terminal that gives its place, an unsure text, a paste of several
 * lines, a link of the program.
 */
export function Asks({ terminal }: { terminal: TerminalState }) {
  const { hasPlace, shown, stuck, pasted, link } = terminal;
  return (
    <>
      {!hasPlace && (
        <Ask title="Paused: too many terminals are open." hint="It goes on when another one is closed.">
          <Button onClick={terminal.takePlace}>Show this one</Button>
        </Ask>
      )}
      {stuck && <StuckAsk stuck={stuck} resume={terminal.resume} />}
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

/** Asks about a text that was refused, or that may not have arrived. */
function StuckAsk({ stuck, resume }: { stuck: Stuck; resume: TerminalState["resume"] }) {
  const { unsure, rest } = stuck;
  const words = wordsOf(stuck.error);
  if (!unsure)
    return (
      <Ask title="This text was not sent:" text={rest} hint={words}>
        <Button onClick={() => resume("rest")}>Send it</Button>
        <Button look="quiet" onClick={() => resume("nothing")}>
          Discard it
        </Button>
      </Ask>
    );
  return (
    <Ask
      title="The machine has not confirmed this text:"
      text={unsure}
      hint={`${words} It is not sent again. Look at the screen before you go on.`}
    >
      {rest && <Text title="Not sent yet:" text={rest} />}
      <Button onClick={() => resume("rest")}>{rest ? "Send the rest" : "Go on"}</Button>
      {rest && (
        <Button look="quiet" onClick={() => resume("nothing")}>
          Discard the rest
        </Button>
      )}
    </Ask>
  );
}

interface AskProps {
  title: string;
  text?: string;
  hint?: string;
  children: ReactNode;
}

const Ask = ({ title, text, hint, children }: AskProps) => (
  <div role="alert" className="flex flex-col gap-1.5 border-line border-b bg-warn-soft px-3 py-2">
    {text === undefined ? <p className="font-medium">{title}</p> : <Text title={title} text={text} />}
    {hint && <p className="text-sm">{hint}</p>}
    <div className="mt-1 flex flex-wrap gap-2">{children}</div>
  </div>
);

/** A text with its title. Keys without a sign of their own, such as Escape, are shown as numbers. */
const Text = ({ title, text }: { title: string; text: string }) => (
  <div className="flex w-full flex-col gap-1.5">
    <p className="font-medium">{title}</p>
    <pre className="wrap-anywhere line-clamp-3 whitespace-pre-wrap font-mono text-sm">
      {marked(text.replaceAll("\r", "⏎\n"))}
    </pre>
  </div>
);
