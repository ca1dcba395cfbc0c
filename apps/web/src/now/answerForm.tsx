import { Button } from "../ui/button";
import { Form } from "../ui/form";
import type { parseMenu } from "./menuOptions";
import type { Answer } from "./useAnswer";

const ESCAPE = "\u001b";

interface AnswerFormProps {
  label: string;
  options: ReturnType<typeof parseMenu>;
  /** Whether a limit or an error ended the agent's turn. The form then has a button that types "continue". */
  hasStopped: boolean;
  answer: Answer;
  /** Why typing is disabled. */
  unavailable: string | undefined;
}

/** Buttons for the options of the agent's menu, and a text field. */
export function AnswerForm({ label, options, hasStopped, answer, unavailable }: AnswerFormProps) {
  const { text, setText, type, send, isPending } = answer;
  const submit = () => {
    if (!isPending && unavailable === undefined) send();
  };
  return (
    <Form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      {options.map(({ key, label }) => (
        <Button key={key} busy={isPending} reason={unavailable} onClick={() => type(key)}>
          <kbd className="font-mono text-muted">{key}</kbd>
          <span className="max-w-[min(16rem,55vw)] truncate">{label}</span>
        </Button>
      ))}
      {hasStopped && options.length === 0 && (
        <Button busy={isPending} reason={unavailable} onClick={() => type("continue\r")}>
          Continue
        </Button>
      )}
      <span className="flex min-w-48 flex-1 gap-2">
        <input
          aria-label={label}
          placeholder="Type an answer"
          autoComplete="off"
          maxLength={9_999}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface px-2.5 font-mono text-sm outline-offset-0"
        />
        {/* Enter alone accepts the default of a question, so it is not a primary action. */}
        <Button type="submit" look={text === "" ? "plain" : "primary"} busy={isPending} reason={unavailable}>
          {text === "" ? "Press Enter" : "Send"}
        </Button>
      </span>
      <Button look="quiet" busy={isPending} reason={unavailable} onClick={() => type(ESCAPE)}>
        Esc<span className="sr-only">: press Escape in the terminal</span>
      </Button>
    </Form>
  );
}

/** An unsent answer to a question that the agent no longer asks. */
export function UnsentAnswer({ text, onDiscard }: { text: string; onDiscard(): void }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <label className="flex min-w-48 flex-1 flex-wrap items-center gap-2 text-sm">
        Your answer was not sent:
        <input
          readOnly
          value={text}
          className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-ground px-2.5 font-mono text-sm outline-offset-0"
        />
      </label>
      <Button onClick={onDiscard}>Discard</Button>
    </div>
  );
}
