/** A counting semaphore. Waiters are served in order. */
export class Semaphore {
  #freePermits: number;
  #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#freePermits = count;
  }

  /** Whether a new caller would have to wait. */
  get isFull(): boolean {
    return this.#freePermits === 0;
  }

  /** @throws {unknown} the signal's reason if it is aborted before a slot is free */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#acquire(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#freePermits++;
      this.#waiting.shift()?.();
    }
  }

  #acquire(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener("abort", leave);
        this.#freePermits--;
        resolve();
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== take);
        reject(signal.reason);
      };
      if (this.#freePermits > 0) return take();
      this.#waiting.push(take);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
