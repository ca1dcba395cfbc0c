import { MAX_TERMINAL_INPUT, toError } from "@grove/schemas";

/** A call that takes longer is reported as slow. */
const SLOW_MS = 1_500;
/** An incomplete escape sequence at the end of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with Escape.
const INCOMPLETE_SEQUENCE = /\x1b+(?:\[[0-?]*[ -/]*|[O\]PX^_]|[ -/]+)?$/;

/** Input that has stopped, because a text was refused or may not have arrived. */
export interface FailedInput {
  /** The text that may or may not have been typed. Empty after a refusal. */
  unconfirmed: string;
  /** The text that was not sent. */
  unsent: string;
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
type OnFailure = (failedInput: FailedInput | undefined) => void;

/** Called with the text of a slow call and all text queued behind it; with "" once the call ends. */
type OnSlow = (text: string) => void;

/**
 * Sends typed text in order, one call at a time. Text typed during a call is joined into the next one. After a failed
 * call, the queue stops until the user decides: a text that may have arrived is never sent again, and a refused one
 * stays in the queue. The queue outlives its page, so that text is still sent, or offered again, after navigation.
 */
export class InputQueue {
  readonly #options: Options;
  #queued = "";
  #isSending = false;
  #inFlight = "";
  #isSlow = false;
  #failure: Pick<FailedInput, "unconfirmed" | "error"> | undefined;
  #onFailure: OnFailure | undefined;
  #onSlow: OnSlow | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Replaces the listeners.
   * @returns the current stop, if input has stopped
   */
  follow(onFailure: OnFailure, onSlow?: OnSlow): FailedInput | undefined {
    this.#onFailure = onFailure;
    this.#onSlow = onSlow;
    this.#reportSlow();
    return this.#failedInput();
  }

  /** Whether all text has arrived. */
  get isDone(): boolean {
    return !this.#isSending && !this.#failure && this.#queued === "";
  }

  type(text: string): void {
    // The API rejects NUL, which Ctrl+Space sends.
    this.#queued += text.replaceAll("\0", "");
    this.#reportFailure();
    this.#reportSlow();
    this.#reportPending();
    void this.#drain();
  }

  /** Drops queued text. A call in flight cannot be cancelled. */
  discard(): void {
    this.#queued = "";
    this.#reportSlow();
    this.#reportPending();
  }

  /** Resumes after a failure, with or without the queued text. An unconfirmed text is not sent again. */
  resume(unsent: "send" | "discard"): void {
    if (unsent === "discard") this.#queued = "";
    this.#failure = undefined;
    this.#onFailure?.(undefined);
    this.#reportPending();
    void this.#drain();
  }

  #failedInput(): FailedInput | undefined {
    return this.#failure && { ...this.#failure, unsent: this.#queued };
  }

  #reportFailure(): void {
    if (this.#failure) this.#onFailure?.(this.#failedInput());
  }

  #reportPending(): void {
    this.#options.onPending?.(!this.isDone);
  }

  #reportSlow(): void {
    if (this.#isSlow) this.#onSlow?.(this.#inFlight + this.#queued);
  }

  async #drain(): Promise<void> {
    if (this.#isSending || this.#failure || this.#queued === "") return;
    const [text, remaining] = cut(this.#queued);
    this.#queued = remaining;
    this.#isSending = true;
    this.#inFlight = text;
    const slow = setTimeout(() => {
      this.#isSlow = true;
      this.#reportSlow();
    }, SLOW_MS);
    try {
      await this.#options.send(text);
    } catch (error) {
      const isRefused = this.#options.wasRefused(error);
      if (isRefused) this.#queued = text + this.#queued;
      this.#failure = {
        unconfirmed: isRefused ? "" : text,
        error: toError(error),
      };
      this.#reportFailure();
    } finally {
      clearTimeout(slow);
      this.#isSending = false;
      this.#inFlight = "";
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
  if (text.length <= MAX_TERMINAL_INPUT) return [text, ""];
  const lastUnit = text.charCodeAt(MAX_TERMINAL_INPUT - 1);
  const limit = lastUnit >= 0xd800 && lastUnit <= 0xdbff ? MAX_TERMINAL_INPUT - 1 : MAX_TERMINAL_INPUT;
  const sequence = text.slice(0, limit).search(INCOMPLETE_SEQUENCE);
  const end = sequence > 0 ? sequence : limit;
  return [text.slice(0, end), text.slice(end)];
}
