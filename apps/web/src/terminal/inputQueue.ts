/** The API's limit of characters per call. */
const MAX_CHARACTERS = 10_000;
/** A call that takes longer is reported as slow. */
const SLOW_MS = 1_500;
/** An incomplete escape sequence at the end of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with Escape.
const UNFINISHED = /\x1b+(?:\[[0-?]*[ -/]*|[O\]PX^_]|[ -/]+)?$/;

/** Input that has stopped, because a text was refused or may not have arrived. */
export interface Stuck {
  /** The text that may or may not have been typed. Empty after a refusal. */
  unsure: string;
  /** The text that was not sent. */
  rest: string;
  error: Error;
}

interface Options {
  /** Types a text. Never called concurrently, nor twice for a text that may have arrived. */
  send: (text: string) => Promise<unknown>;
  /** Whether a failed call is certain to have typed nothing. */
  wasRefused: (error: unknown) => boolean;
  /** Reports whether text is queued, in flight, or waiting for the user's decision. */
  onPending?: (isPending: boolean) => void;
}

/** Called when input stops, and with undefined when it resumes. */
type OnStuck = (stuck: Stuck | undefined) => void;

/** Called with the text of a slow call and all text queued behind it; with "" once the call ends. */
type OnSlow = (text: string) => void;

/**
 * Sends typed text in order, one call at a time. Text typed during a call is joined into the next one. After a failed
 * call, the queue stops until the user decides: a text that may have arrived is never sent again, and a refused one
 * stays in the queue. The queue outlives its page, so that text is still sent, or offered again, after navigation.
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
   * Replaces the listeners.
   * @returns the current stop, if input has stopped
   */
  follow(onStuck: OnStuck, onSlow?: OnSlow): Stuck | undefined {
    this.#onStuck = onStuck;
    this.#onSlow = onSlow;
    this.#reportSlow();
    return this.#now();
  }

  /** Whether all text has arrived. */
  get isDone(): boolean {
    return !this.#sending && !this.#stuck && this.#waiting === "";
  }

  type(text: string): void {
    // The API rejects NUL, which Ctrl+Space sends.
    this.#waiting += text.replaceAll("\0", "");
    this.#reportStuck();
    this.#reportSlow();
    this.#reportPending();
    void this.#drain();
  }

  /** Drops queued text. A call in flight cannot be cancelled. */
  discard(): void {
    this.#waiting = "";
    this.#reportSlow();
    this.#reportPending();
  }

  /** Resumes after a failure, with or without the queued text. An unsure text is not sent again. */
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

  #reportStuck(): void {
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
      this.#reportStuck();
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
 * Splits off the longest prefix that fits into one call. Never splits a surrogate pair or an escape sequence, whose
 * halves would be read as other keys.
 */
export function cut(text: string): [string, string] {
  if (text.length <= MAX_CHARACTERS) return [text, ""];
  const last = text.charCodeAt(MAX_CHARACTERS - 1);
  const most = last >= 0xd800 && last <= 0xdbff ? MAX_CHARACTERS - 1 : MAX_CHARACTERS;
  const sequence = text.slice(0, most).search(UNFINISHED);
  const end = sequence > 0 ? sequence : most;
  return [text.slice(0, end), text.slice(end)];
}
