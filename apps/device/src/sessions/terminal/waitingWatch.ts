import { readsTerminal } from "./readsTerminal";

/** A spinner turns ten times a second, so a working program is not silent for this long. */
const QUIET_MS = 3_000;
/** The same limit when it is unknown whether the program reads its terminal. */
const QUIET_UNSEEN_MS = 10_000;
/** How often a program that works silently is checked. */
const LOOK_AGAIN_MS = 1_000;
/** How long a program may take to be ready for a typed prompt. */
const PROMPT_MS = { quiet: 500, unseen: 3_000 };

/**
 * Reports when a program waits for input: it has printed nothing for 3 s, nothing was typed in that time, and it reads
 * its terminal. If the last is unknown, the silence must last 10 s. Any output or input ends the wait.
 */
export class WaitingWatch {
  #waiting = false;
  #quietSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #pid: number;
  readonly #onChange: (waiting: boolean) => void;
  /** Whether a prompt is pending; a short silence is then enough. */
  readonly #mayCheckSoon: () => boolean;

  constructor(pid: number, onChange: (waiting: boolean) => void, soon: () => boolean) {
    this.#pid = pid;
    this.#onChange = onChange;
    this.#mayCheckSoon = soon;
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
    return this.#mayCheckSoon() ? PROMPT_MS : { quiet: QUIET_MS, unseen: QUIET_UNSEEN_MS };
  }

  #setWaiting(waiting: boolean): void {
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    this.#onChange(waiting);
  }
}
