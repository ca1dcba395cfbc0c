/** A counting semaphore. Waiters are served in order. */
export class Semaphore {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether a new caller would have to wait. */
  get isFull(): boolean {
    return this.#free === 0;
  }

  /** @throws {unknown} the signal's reason if it is aborted before a slot is free */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#take(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#free++;
      this.#waiting.shift()?.();
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener("abort", leave);
        this.#free--;
        resolve();
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== take);
        reject(signal.reason);
      };
      if (this.#free > 0) return take();
      this.#waiting.push(take);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
