import { readsTerminal } from "./waiting";

/** A spinner turns ten times a second: a program that is at work is not silent for so long. */
const QUIET_MS = 3_000;
/** Where it cannot be seen whether the program reads its terminal. */
const QUIET_UNSEEN_MS = 10_000;
/** A program that is silent at work is looked at this often. */
const LOOK_AGAIN_MS = 1_000;
/** How long a program may take to be ready for a prompt that is typed. */
const PROMPT_MS = { quiet: 500, unseen: 3_000 };

/**
 * Says when a program waits for input: it has printed nothing for 3 s, nothing was typed meanwhile, and it reads its
 * terminal; where that cannot be seen, it has printed nothing for 10 s. Any output or input ends it.
 */
export class WaitingWatch {
  #waiting = false;
  #quietSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly pid: number,
    private readonly onChange: (waiting: boolean) => void,
    /** Whether a prompt is to be typed as soon as it first waits: then a moment is enough. */
    private soon: boolean,
  ) {
    this.#arm();
  }

  get waiting(): boolean {
    return this.#waiting;
  }

  /** Something was printed or typed. */
  touch(): void {
    this.#quietSince = performance.now();
    this.#set(false);
    if (!this.#timer) this.#arm();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#waiting = false;
  }

  #arm(): void {
    if (this.#closed) return;
    const { quiet } = this.#limits;
    const silent = performance.now() - this.#quietSince;
    // One timer at a time, not one for each piece of output; no end of silence can be missed, only seen a little late.
    this.#timer = setTimeout(
      () => void this.#look(),
      Math.max(quiet - silent, Math.min(quiet, LOOK_AGAIN_MS)),
    );
  }

  async #look(): Promise<void> {
    const since = this.#quietSince;
    const { quiet, unseen } = this.#limits;
    const silent = performance.now() - since;
    const reads = silent < quiet ? false : await readsTerminal(this.pid).catch(() => undefined);
    if (this.#closed) return;
    this.#timer = undefined;
    if (since === this.#quietSince && (reads ?? silent >= unseen)) this.#set(true);
    else this.#arm();
  }

  get #limits() {
    return this.soon ? PROMPT_MS : { quiet: QUIET_MS, unseen: QUIET_UNSEEN_MS };
  }

  #set(waiting: boolean): void {
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    if (waiting) this.soon = false;
    this.onChange(waiting);
  }
}
