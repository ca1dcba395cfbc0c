/** The most characters that one call may type. */
const MOST = 10_000;
/** A call that takes longer is reported, for example since the device does not answer. */
const SLOW_MS = 1_500;
/** An escape sequence whose end is missing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with Escape.
const UNFINISHED = /\x1b+(?:\[[0-?]*[ -/]*|[O\]PX^_]|[ -/]+)?$/;

/** Typing that has stopped, since a text was refused, or since it is not known whether it has arrived. */
export interface Stuck {
  /** The text that may or may not have been typed. It is empty after a refusal. */
  unsure: string;
  /** The text that has certainly not been typed. */
  rest: string;
  error: Error;
}

interface Options {
  /** Types a text. It is called again only after it has ended. A text that may have arrived is never sent twice. */
  send: (text: string) => Promise<unknown>;
  /** Whether a failed call certainly typed nothing. */
  wasRefused: (error: unknown) => boolean;
  /** Reports whether text waits: to be sent, for its confirmation, or for a decision. */
  onPending?: (isPending: boolean) => void;
}

/** Reports that typing has stopped, or continues (undefined). */
type OnStuck = (stuck: Stuck | undefined) => void;

/** Reports the text that a slow call has not confirmed yet, with all that waits behind it; "" once there is none. */
type OnSlow = (text: string) => void;

/**
 * The text that a person types, in order: one call at a time; text that comes meanwhile goes with the next. After a
 * failed call, typing stops until a person decides. A text that may have arrived is never sent again; one that was
 * refused waits with the rest. The queue outlives the page on which the text was typed: what waits for its turn is
 * still sent, and what waits for a decision is there for the next page.
 */
export class InputQueue {
  readonly #options: Options;
  #waiting = "";
  #sending = false;
  #sent = "";
  #isSlow = false;
  #stuck: Pick<Stuck, "unsure" | "error"> | undefined;
  #onStuck: OnStuck | undefined;
  #onSlow: OnSlow | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Reports to these functions only, from now on.
   * @returns the text that waits for a person's decision already
   */
  follow(onStuck: OnStuck, onSlow?: OnSlow): Stuck | undefined {
    this.#onStuck = onStuck;
    this.#onSlow = onSlow;
    this.#reportSlow();
    return this.#now();
  }

  /** Whether everything that was typed has arrived. */
  get isDone(): boolean {
    return !this.#sending && !this.#stuck && this.#waiting === "";
  }

  type(text: string): void {
    // The API refuses NUL, which Ctrl+Space sends.
    this.#waiting += text.replaceAll("\0", "");
    this.#tellStuck();
    this.#reportSlow();
    this.#reportPending();
    void this.#drain();
  }

  /** Drops the text that was not sent yet. The call that runs cannot be taken back. */
  discard(): void {
    this.#waiting = "";
    this.#reportSlow();
    this.#reportPending();
  }

  /** Goes on after a failure: with what was typed since then, or without it. An unsure text is not sent again. */
  resume(what: "rest" | "nothing"): void {
    if (what === "nothing") this.#waiting = "";
    this.#stuck = undefined;
    this.#onStuck?.(undefined);
    this.#reportPending();
    void this.#drain();
  }

  #now(): Stuck | undefined {
    return this.#stuck && { ...this.#stuck, rest: this.#waiting };
  }

  #tellStuck(): void {
    if (this.#stuck) this.#onStuck?.(this.#now());
  }

  #reportPending(): void {
    this.#options.onPending?.(!this.isDone);
  }

  #reportSlow(): void {
    if (this.#isSlow) this.#onSlow?.(this.#sent + this.#waiting);
  }

  async #drain(): Promise<void> {
    if (this.#sending || this.#stuck || this.#waiting === "") return;
    const [text, rest] = cut(this.#waiting);
    this.#waiting = rest;
    this.#sending = true;
    this.#sent = text;
    const slow = setTimeout(() => {
      this.#isSlow = true;
      this.#reportSlow();
    }, SLOW_MS);
    try {
      await this.#options.send(text);
    } catch (error) {
      const isRefused = this.#options.wasRefused(error);
      if (isRefused) this.#waiting = text + this.#waiting;
      this.#stuck = {
        unsure: isRefused ? "" : text,
        error: error instanceof Error ? error : new Error(String(error)),
      };
      this.#tellStuck();
    } finally {
      clearTimeout(slow);
      this.#sending = false;
      this.#sent = "";
      if (this.#isSlow) this.#onSlow?.("");
      this.#isSlow = false;
      this.#reportPending();
    }
    await this.#drain();
  }
}

/**
 * The longest beginning that one call may type, and the rest. A pair of surrogates and an escape sequence stay
 * together: a program would read the halves as other keys.
 */
export function cut(text: string): [string, string] {
  if (text.length <= MOST) return [text, ""];
  const last = text.charCodeAt(MOST - 1);
  const most = last >= 0xd800 && last <= 0xdbff ? MOST - 1 : MOST;
  const sequence = text.slice(0, most).search(UNFINISHED);
  const end = sequence > 0 ? sequence : most;
  return [text.slice(0, end), text.slice(end)];
}
