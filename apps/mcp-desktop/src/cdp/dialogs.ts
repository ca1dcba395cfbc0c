import { limit } from "../limit";
import { cut } from "../text";
import type { Session } from "./session";

export interface DialogAnswer {
  /** Unset: an alert is closed, all else is dismissed. */
  readonly dialog?: "accept" | "dismiss" | undefined;
  readonly promptText?: string | undefined;
}

export interface OpenDialog {
  /** alert, confirm, prompt or beforeunload */
  readonly type: string;
  readonly message: string;
}

/**
 * The JavaScript dialogs of one window. While one is open the page stands still and so would a call; so each that opens
 * during a call is answered at once, as the call says, and told in its result. One that opens between calls is left to
 * the person in front of the app.
 */
export class Dialogs {
  #open: OpenDialog | undefined;
  readonly #calls = new Set<{ answer: DialogAnswer; notes: string[] }>();

  constructor(private readonly session: Session) {
    session.on("Page.javascriptDialogOpening", ({ type, message }) => {
      this.#open = { type, message };
      const call = [...this.#calls].at(-1);
      if (call) call.notes.push(this.#answer(call.answer));
    });
    session.on("Page.javascriptDialogClosed", () => {
      this.#open = undefined;
    });
  }

  /** The one that stands open. */
  get open(): OpenDialog | undefined {
    return this.#open;
  }

  /** Answers what is open, and what opens until the returned `end` is called, which gives each note for a result once. */
  begin(answer: DialogAnswer): { end(): string[] } {
    const call = { answer, notes: [] as string[] };
    this.#calls.add(call);
    if (this.#open) call.notes.push(this.#answer(answer));
    return {
      end: () => {
        this.#calls.delete(call);
        return call.notes.splice(0);
      },
    };
  }

  #answer({ dialog, promptText }: DialogAnswer): string {
    const { type, message } = this.#open ?? { type: "", message: "" };
    const accept = dialog ? dialog === "accept" : type === "alert";
    const params = { accept, ...(type === "prompt" && accept && { promptText: promptText ?? "" }) };
    // A dialog that somebody else has answered meanwhile is no failure.
    this.session.send("Page.handleJavaScriptDialog", params, limit(5_000)).catch(() => undefined);
    this.#open = undefined;
    const said = message === "" ? "" : ` saying ${JSON.stringify(cut(message, 500))}`;
    const done = type === "alert" ? "closed" : accept ? "accepted" : "dismissed";
    const hint =
      dialog === undefined && type !== "alert" ? ' To accept it, repeat the call with dialog: "accept".' : "";
    return `${type === "alert" ? "An" : "A"} ${type} dialog${said} opened and was ${done}.${hint}`;
  }
}
