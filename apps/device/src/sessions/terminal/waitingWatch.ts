import { readsTerminal } from "./readsTerminal";

/**
 * How long a terminal must be silent before its agent counts as waiting for input, in milliseconds. `reading`: while
 * the program is seen to read its terminal. `unknown`: where that cannot be seen, as on macOS.
 */
const SILENCE_BEFORE_WAITING_MS = {
  /** A spinner turns ten times a second, so a working program is not silent for that long. */
  any_time: { reading: 3_000, unknown: 10_000 },
  /** The agent's record ends with a text, so its turn has probably ended. */
  turn_end: { reading: 1_000, unknown: 10_000 },
  /** A prompt waits to be typed into a program that has just started. */
  prompt: { reading: 500, unknown: 3_000 },
};
type Occasion = keyof typeof SILENCE_BEFORE_WAITING_MS;

/** The interval between checks of a silent program that does not read its terminal. */
const RECHECK_MS = 1_000;

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
  readonly #occasion: () => Occasion;

  /** @param occasion selects the limits. Call {@link checkAgain} when it changes. */
  constructor(pid: number, onChange: (waiting: boolean) => void, occasion: () => Occasion) {
    this.#pid = pid;
    this.#onChange = onChange;
    this.#occasion = occasion;
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
    const { reading } = this.#limits;
    const silent = performance.now() - this.#quietSince;
    // One timer at a time, not one per piece of output. A silence is never missed, only noticed a little late.
    this.#timer = setTimeout(
      () => void this.#check(),
      Math.max(reading - silent, Math.min(reading, RECHECK_MS)),
    );
  }

  async #check(): Promise<void> {
    const since = this.#quietSince;
    const limits = this.#limits;
    const silent = performance.now() - since;
    const isReading = silent < limits.reading ? false : await readsTerminal(this.#pid).catch(() => undefined);
    if (this.#closed) return;
    this.#timer = undefined;
    if (since === this.#quietSince && (isReading ?? silent >= limits.unknown)) this.#setWaiting(true);
    else this.#startTimer();
  }

  get #limits() {
    return SILENCE_BEFORE_WAITING_MS[this.#occasion()];
  }

  #setWaiting(waiting: boolean): void {
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    this.#onChange(waiting);
  }
}
