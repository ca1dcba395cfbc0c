import { readsTerminal } from "./readsTerminal";

/** How often a program that works silently is checked. */
const LOOK_AGAIN_MS = 1_000;

/**
 * How long a silence must last, in milliseconds. `unseen`: if it is unknown whether the program reads its terminal.
 * `usual`: a spinner turns ten times a second, so a working program is not silent for that long. `turn_end`: the
 * agent's record ends with a text, so its turn has probably ended. `prompt`: a prompt is to be typed.
 */
const SILENCES = {
  usual: { quiet: 3_000, unseen: 10_000 },
  turn_end: { quiet: 1_000, unseen: 10_000 },
  prompt: { quiet: 500, unseen: 3_000 },
};
type Expected = keyof typeof SILENCES;

/**
 * Reports when a program waits for input: it has printed nothing for some time, nothing was typed in that time, and it
 * reads its terminal. Any output or input ends the wait.
 */
export class WaitingWatch {
  #waiting = false;
  #quietSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #pid: number;
  readonly #onChange: (waiting: boolean) => void;
  readonly #expected: () => Expected;

  /** @param expected what the silence must show. Call {@link checkAgain} when it changes. */
  constructor(pid: number, onChange: (waiting: boolean) => void, expected: () => Expected) {
    this.#pid = pid;
    this.#onChange = onChange;
    this.#expected = expected;
    this.#startTimer();
  }

  get waiting(): boolean {
    return this.#waiting;
  }

  /** Notes that something was printed or typed. */
  touch(): void {
    this.#quietSince = performance.now();
    this.#setWaiting(false);
    if (!this.#timer) this.#startTimer();
  }

  /** Checks the current silence against the current limits. */
  checkAgain(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#startTimer();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#waiting = false;
  }

  #startTimer(): void {
    if (this.#closed) return;
    const { quiet } = this.#limits;
    const silent = performance.now() - this.#quietSince;
    // One timer at a time, not one per piece of output. A silence is never missed, only noticed a little late.
    this.#timer = setTimeout(
      () => void this.#check(),
      Math.max(quiet - silent, Math.min(quiet, LOOK_AGAIN_MS)),
    );
  }

  async #check(): Promise<void> {
    const since = this.#quietSince;
    const { quiet, unseen } = this.#limits;
    const silent = performance.now() - since;
    const reads = silent < quiet ? false : await readsTerminal(this.#pid).catch(() => undefined);
    if (this.#closed) return;
    this.#timer = undefined;
    if (since === this.#quietSince && (reads ?? silent >= unseen)) this.#setWaiting(true);
    else this.#startTimer();
  }

  get #limits() {
    return SILENCES[this.#expected()];
  }

  #setWaiting(waiting: boolean): void {
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    this.#onChange(waiting);
  }
}
