/**
 * Lets one loop sleep until there is something to do. A `wake` between two waits is not lost, and several count as one.
 */
export class WakeUp {
  #isPending = false;
  #resolve: (() => void) | undefined;

  wake(): void {
    this.#isPending = true;
    this.#resolve?.();
  }

  /**
   * Resolves when woken, when `ms` have passed, or when one of the signals is aborted.
   * @returns whether all of the time has passed without any of the others
   */
  async wait(ms: number, signals: AbortSignal[]): Promise<boolean> {
    if (!this.#isPending && ms > 0 && !signals.some((signal) => signal.aborted)) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          for (const signal of signals) waiting(signal).delete(end);
          this.#resolve = undefined;
          resolve();
        };
        const timer = setTimeout(end, ms);
        for (const signal of signals) waiting(signal).add(end);
        this.#resolve = end;
      });
    }
    const passed = !this.#isPending && !signals.some((signal) => signal.aborted);
    this.#isPending = false;
    return passed;
  }
}

const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Callbacks to run when the signal is aborted. A signal walks through all its listeners when one is added or removed.
 * Thousands of streams wait on one signal that lives as long as the process, so it gets one listener of ours.
 */
function waiting(signal: AbortSignal): Set<() => void> {
  const callbacks = callbacksBySignal.get(signal);
  if (callbacks) return callbacks;
  const ends = new Set<() => void>();
  signal.addEventListener("abort", () => ends.forEach((end) => void end()), { once: true });
  callbacksBySignal.set(signal, ends);
  return ends;
}
