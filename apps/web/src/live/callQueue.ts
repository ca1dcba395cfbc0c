/**
 * How many calls may wait for a device at the same time. A browser opens six HTTP/1.1 connections to an origin, shared
 * by all tabs: one is for the organization's stream, one for the output of terminals, and one stays free for short
 * calls.
 */
const MAX_CALLS = 3;
/** A call that runs longer no longer counts. The API answers the longest calls after half a minute. */
const MAX_CALL_MS = 60_000;

/** Limits how many calls wait for a device at the same time. The others start in order of arrival. */
export class CallQueue {
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>();

  /** Calls `begin` when the call may start. */
  add(id: string, begin: () => void): void {
    this.#waiting.set(id, begin);
    this.#startNext();
  }

  /** Removes a call that has ended or was canceled. */
  remove(id: string): void {
    this.#waiting.delete(id);
    clearTimeout(this.#running.get(id));
    this.#running.delete(id);
    this.#startNext();
  }

  #startNext(): void {
    for (const [id, begin] of this.#waiting) {
      if (this.#running.size >= MAX_CALLS) return;
      this.#waiting.delete(id);
      this.#running.set(
        id,
        setTimeout(() => this.remove(id), MAX_CALL_MS),
      );
      begin();
    }
  }
}
