import { setTimeout as sleep } from "node:timers/promises";

/** Delay before Return. Agents treat fast input as a paste, in which Return is a line break. */
const RETURN_AFTER_MS = 100;

/** A text whose content is decided right before it is typed. */
export interface Prepared {
  /** @returns what to type now; undefined to type nothing. If it throws, nothing is typed. */
  text: () => Promise<string | undefined>;
  /** Whether Return at the end of the text still has the same effect as before the text. */
  mayReturn?: () => Promise<boolean>;
}

/** Types to a program, one text after another. */
export class Keyboard {
  #lastInput: Promise<unknown> = Promise.resolve();

  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /**
   * Types text, and a return at its end as a separate key press. Resolves when that is done. A return after Escape is
   * one key press with it: Alt+Enter, or a line break of an agent. Programs read two writes as Escape, then Enter.
   */
  type(text: string | Prepared): Promise<void> {
    const prepared = typeof text === "string" ? { text: async () => text } : text;
    const typing = this.#lastInput.then(() => this.#type(prepared));
    this.#lastInput = typing.catch(() => {});
    return typing;
  }

  async #type({ text: prepare, mayReturn }: Prepared): Promise<void> {
    const text = await prepare();
    if (text === undefined) return;
    const line = text.slice(0, text.endsWith("\r") ? -1 : undefined);
    if (line === "" || line === text || line.endsWith("\x1b")) return this.#send(text);
    this.#send(line);
    await sleep(RETURN_AFTER_MS);
    if (!mayReturn || (await mayReturn())) this.#send("\r");
  }
}
