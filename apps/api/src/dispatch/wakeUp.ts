/**
 * Lets one loop sleep until there is something to do. A `wake` between two waits is not lost, and several are one.
 */
export class WakeUp {
  #woken = false;
  #resolve: (() => void) | undefined;

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  /** Resolves when woken, when `ms` have passed, or when one of the signals is aborted. */
  async wait(ms: number, signals: AbortSignal[]): Promise<void> {
    if (!this.#woken && ms > 0 && !signals.some((signal) => signal.aborted)) {
      await new Promise<void>((resolve) => {
        // Removed by hand: AbortSignal.any on a signal that lives as long as the process gathers listeners.
        const end = () => {
          clearTimeout(timer);
          for (const signal of signals) signal.removeEventListener("abort", end);
          this.#resolve = undefined;
          resolve();
        };
        const timer = setTimeout(end, ms);
        for (const signal of signals) signal.addEventListener("abort", end);
        this.#resolve = end;
      });
    }
    this.#woken = false;
  }
}
