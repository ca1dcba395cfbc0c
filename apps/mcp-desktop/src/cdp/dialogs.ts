import { limit } from "@grove/signals";
import { cut } from "../text";
import type { Session } from "./session";

export interface DialogAnswer {
  /** If not set, an alert is closed and any other dialog dismissed. */
  readonly dialog?: "accept" | "dismiss" | undefined;
  readonly promptText?: string | undefined;
}

export interface OpenDialog {
  /** alert, confirm, prompt or beforeunload */
  readonly type: string;
  readonly message: string;
}

/**
 * The JavaScript dialogs of one window. An open dialog would block the page, and with it the call. So a dialog that
 * opens during a call is answered immediately, as the call requests, and reported in its result. A dialog that opens
 * between calls is left to the user of the app.
 */
export class Dialogs {
  #open: OpenDialog | undefined;
  readonly #calls = new Set<{ answer: DialogAnswer; notes: string[] }>();
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    session.on("Page.javascriptDialogOpening", ({ type, message }) => {
      this.#open = { type, message };
      const call = [...this.#calls].at(-1);
      if (call) call.notes.push(this.#answer(call.answer));
    });
    session.on("Page.javascriptDialogClosed", () => {
      this.#open = undefined;
    });
  }

  /** The dialog that is open. */
  get open(): OpenDialog | undefined {
    return this.#open;
  }

  /**
   * Answers the open dialog, and any that opens until the returned `end` is called.
   * @returns `end` returns the notes for the result, each once
   */
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
    // It is no failure if someone else has answered the dialog in the meantime.
    this.#session.send("Page.handleJavaScriptDialog", params, limit(5_000)).catch(() => undefined);
    this.#open = undefined;
    const said = message === "" ? "" : ` saying ${JSON.stringify(cut(message, 500))}`;
    const done = type === "alert" ? "closed" : accept ? "accepted" : "dismissed";
    const hint =
      dialog === undefined && type !== "alert" ? ' To accept it, repeat the call with dialog: "accept".' : "";
    return `${type === "alert" ? "An" : "A"} ${type} dialog${said} opened and was ${done}.${hint}`;
  }
}
