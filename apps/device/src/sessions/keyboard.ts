import { setTimeout as sleep } from "node:timers/promises";

/** Longer than agents take for pasted what comes quickly: a return in that would be a line's end, and send nothing. */
const RETURN_AFTER_MS = 100;

/** Types to a program, one thing after the other. */
export class Keyboard {
  #typing: Promise<void> = Promise.resolve();

  constructor(private readonly send: (text: string) => void) {}

  /** Types text as it is, and a return at its end as the key that is pressed then. Resolves when that is done. */
  type(text: string): Promise<void> {
    this.#typing = this.#typing.then(() => this.#type(text));
    return this.#typing;
  }

  async #type(text: string): Promise<void> {
    const line = text.slice(0, text.endsWith("\r") ? -1 : undefined);
    if (line === "" || line === text) return this.send(text);
    this.send(line);
    await sleep(RETURN_AFTER_MS);
    this.send("\r");
  }
}
