import { pasted } from "./activity/answer";
import { choiceOn } from "./activity/choice";
import type { Keyboard } from "./terminal/keyboard";
import type { Tail } from "./terminal/tail";

/** How long a prompt waits for a person to answer the choices before it, such as whether to trust the directory. */
const TYPED_WITHIN_MS = 30 * 60_000;

interface PendingPromptDeps {
  keyboard: Keyboard;
  tail: Tail;
  /** Called with a notice for the terminal's viewers when the prompt is dropped. */
  onDropped: (notice: string) => void;
}

/** The prompt of a session that is typed once its program waits for input. */
export class PendingPrompt {
  #text: string | undefined;
  #isBeingTyped = false;
  /** The deadline for typing the prompt; it is then dropped. */
  readonly #typedUntil = performance.now() + TYPED_WITHIN_MS;
  readonly #deps: PendingPromptDeps;

  constructor(text: string | undefined, deps: PendingPromptDeps) {
    this.#text = text;
    this.#deps = deps;
  }

  get isPending(): boolean {
    return this.#text !== undefined;
  }

  get isBeingTyped(): boolean {
    return this.#isBeingTyped;
  }

  /**
   * Types the pending prompt, unless the program shows a choice: typed text could select an option by accident.
   * @returns whether it was typed
   */
  async type(): Promise<boolean> {
    const text = this.#text;
    if (text === undefined) return false;
    this.#isBeingTyped = true;
    try {
      return await this.#typeText(text);
    } finally {
      this.#isBeingTyped = false;
    }
  }

  async #typeText(text: string): Promise<boolean> {
    const { keyboard, tail, onDropped } = this.#deps;
    if (performance.now() > this.#typedUntil) {
      this.#text = undefined;
      onDropped("[grove: the prompt was not typed: the program showed only choices]\r\n");
      return false;
    }
    await keyboard.type({
      text: async () => {
        if (choiceOn(await tail.visible()) || this.#text === undefined) return undefined;
        this.#text = undefined;
        return `${pasted(text, tail.bracketedPaste)}\r`;
      },
    });
    return this.#text === undefined;
  }
}
