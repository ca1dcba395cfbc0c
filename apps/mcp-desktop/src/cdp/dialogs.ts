import { timeoutSignal } from "@grove/signals";
import { cutMarked } from "../text";
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

/** For this long after a call has acted, its answer applies to dialogs that its timers and promises open. */
const AFTERMATH_MS = 200;
/** How long a call that states an answer waits for a dialog after it has acted. */
const EXPECTED_MS = 300;

interface OpenCall {
  readonly answer: DialogAnswer;
  /** Whether the call has acted on the page. */
  hasActed: boolean;
  note(sentence: string): void;
}

interface Opened {
  readonly windowId: string;
  /** The dialogs of the opener's window. */
  readonly opener: Dialogs;
}

/** A call during which dialogs are answered. */
export interface DialogCall {
  /** Waits a moment for a dialog, if the call states an answer and no dialog has opened yet. */
  expected(): Promise<void>;
  /** The notes for the result, each once. */
  take(): string[];
  /**
   * Ends the call. A dialog that its action opens a moment later still gets its answer.
   * @param later receives the note about such a dialog
   */
  end(later: (note: string) => void): void;
}

/**
 * The JavaScript dialogs of one window. An open dialog would block the page, and with it the call. So a dialog that
 * opens during a call, or a moment after it, is answered immediately, as the call requests, and reported in its result
 * or the next one. A dialog that opens later is left to the user of the app.
 */
export class Dialogs {
  #open: OpenDialog | undefined;
  readonly #calls = new Set<OpenCall>();
  readonly #listeners = new Set<() => void>();
  readonly #session: Session;
  readonly #opened: Opened | undefined;

  /** @param opened if another window has opened this one */
  constructor(session: Session, opened?: Opened) {
    this.#session = session;
    this.#opened = opened;
    session.on("Page.javascriptDialogOpening", ({ type, message }) => {
      this.#open = { type, message };
      const call = this.#callThatOpened();
      const isOwn = call !== undefined && this.#calls.has(call);
      if (call) call.note(this.#answer(call.answer, isOwn ? "" : ` in window ${this.#opened?.windowId}`));
      for (const listener of [...this.#listeners]) listener();
    });
    session.on("Page.javascriptDialogClosed", () => {
      this.#open = undefined;
    });
  }

  /** The dialog that is open. */
  get open(): OpenDialog | undefined {
    return this.#open;
  }

  /** Calls the listener when a dialog opens. Returns a function that stops listening. */
  onOpen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records that a call acts on the page: dialogs that open a moment later belong to it. */
  act(): void {
    for (const call of this.#calls) call.hasActed = true;
  }

  /** Answers the open dialog, and any that opens until the returned call has ended. */
  begin(answer: DialogAnswer): DialogCall {
    const notes: string[] = [];
    let count = 0;
    let note = (sentence: string): void => {
      notes.push(sentence);
    };
    const call: OpenCall = {
      answer,
      hasActed: false,
      note(sentence) {
        count++;
        note(sentence);
      },
    };
    this.#calls.add(call);
    if (this.#open) call.note(this.#answer(answer));
    return {
      expected: async () => {
        if (answer.dialog !== undefined && call.hasActed && count === 0)
          await this.#dialogOpens(timeoutSignal(EXPECTED_MS));
      },
      take: () => notes.splice(0),
      end: (later) => {
        note = later;
        if (call.hasActed) setTimeout(() => this.#calls.delete(call), AFTERMATH_MS).unref();
        else this.#calls.delete(call);
      },
    };
  }

  /** Dismisses the open dialog, so that the page does not wait for it without a server. */
  async dismiss(signal: AbortSignal): Promise<void> {
    if (!this.#open) return;
    await this.#session.send("Page.handleJavaScriptDialog", { accept: false }, signal).catch(() => undefined);
  }

  /** The newest call that states an answer, otherwise the newest call; without one, a call that acts on the opener. */
  #callThatOpened(): OpenCall | undefined {
    const calls = (this.#calls.size > 0 ? [...this.#calls] : this.#onOpener()).reverse();
    return calls.find(({ answer }) => answer.dialog !== undefined) ?? calls[0];
  }

  #onOpener(): OpenCall[] {
    if (!this.#opened) return [];
    const { opener } = this.#opened;
    const acting = [...opener.#calls].filter(({ hasActed }) => hasActed);
    return acting.length > 0 ? acting : opener.#onOpener();
  }

  #dialogOpens(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.onOpen(end);
      signal.addEventListener("abort", end, { once: true });
      function end() {
        stop();
        resolve();
      }
    });
  }

  #answer({ dialog, promptText }: DialogAnswer, place = ""): string {
    const { type, message } = this.#open ?? { type: "", message: "" };
    const accept = dialog ? dialog === "accept" : type === "alert";
    const params = { accept, ...(type === "prompt" && accept && { promptText: promptText ?? "" }) };
    // It is not a failure if someone else has answered the dialog in the meantime.
    this.#session.send("Page.handleJavaScriptDialog", params, timeoutSignal(5_000)).catch(() => undefined);
    this.#open = undefined;
    const actionText = type === "alert" ? "closed" : accept ? "accepted" : "dismissed";
    const hint =
      dialog === undefined && type !== "alert" ? ' To accept it, repeat the call with dialog: "accept".' : "";
    return `${nameOf({ type, message })} opened${place} and was ${actionText}.${hint}`;
  }
}

/** `A confirm dialog saying "Sure?"` */
export const nameOf = ({ type, message }: OpenDialog): string =>
  `${type === "alert" ? "An" : "A"} ${type} dialog${message === "" ? "" : ` saying ${JSON.stringify(cutMarked(message, 500))}`}`;
