import { setTimeout as sleep } from "node:timers/promises";

/** Agents treat quick text as pasted, and a return in it as a line break. So the return comes this much later. */
const RETURN_AFTER_MS = 100;

/** Types to a program, one text after another. */
export class Keyboard {
  #typing: Promise<void> = Promise.resolve();

  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /**
   * Types text, and a return at its end as a separate key press. Resolves when that is done. A return after Escape is
   * one key press with it: Alt+Enter, or a line break of an agent. Programs read two writes as Escape, then Enter.
   */
  type(text: string): Promise<void> {
    this.#typing = this.#typing.then(() => this.#type(text));
    return this.#typing;
  }

  async #type(text: string): Promise<void> {
    const line = text.slice(0, text.endsWith("\r") ? -1 : undefined);
    if (line === "" || line === text || line.endsWith("\x1b")) return this.#send(text);
    this.#send(line);
    await sleep(RETURN_AFTER_MS);
    this.#send("\r");
  }
}
