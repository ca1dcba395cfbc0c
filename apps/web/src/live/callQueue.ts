/** A call that runs longer no longer counts. The API answers the longest calls after half a minute. */
const MAX_CALL_MS = 60_000;

/** Limits how many calls wait for a device at the same time. The others start in order of arrival. */
export class CallQueue {
  readonly #limit: () => number;
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>();

  /** @param limit returns how many calls may run now */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Calls `begin` when the call may start. */
  add(id: string, begin: () => void): void {
    this.#waiting.set(id, begin);
    this.startNext();
  }

  /** Removes a call that has ended or was canceled. */
  remove(id: string): void {
    this.#waiting.delete(id);
    clearTimeout(this.#running.get(id));
    this.#running.delete(id);
    this.startNext();
  }

  /** Starts waiting calls up to the limit. */
  startNext(): void {
    for (const [id, begin] of this.#waiting) {
      if (this.#running.size >= this.#limit()) return;
      this.#waiting.delete(id);
      this.#running.set(
        id,
        setTimeout(() => this.remove(id), MAX_CALL_MS),
      );
      begin();
    }
  }
}
