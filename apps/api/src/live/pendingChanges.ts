import type { LiveChange, StateEntry } from "./state";

/** Above this, a watcher's pending changes are dropped and reported as missed. */
const MAX_CHANGES = 1_000;

/** The changes that one watcher has not taken yet: the newest of each item. */
export class PendingChanges {
  readonly #changes = new Map<string, LiveChange>();
  readonly #onPending: () => void;
  #missed = false;

  /** @param onPending called when there are changes to take */
  constructor(onPending: () => void) {
    this.#onPending = onPending;
  }

  add(entries: readonly StateEntry[]): void {
    for (const { key, change } of entries) {
      // Moves the item to the end, so that changes are taken in order.
      this.#changes.delete(key);
      this.#changes.set(key, change);
    }
    if (this.#changes.size > MAX_CHANGES) this.miss();
    else this.#onPending();
  }

  /** Drops the pending changes, and reports that some were missed. */
  miss(): void {
    this.#changes.clear();
    this.#missed = true;
    this.#onPending();
  }

  /** Returns the changes since the last call. */
  take(): { changes: LiveChange[]; missed: boolean } {
    const pending = { changes: [...this.#changes.values()], missed: this.#missed };
    this.#changes.clear();
    this.#missed = false;
    return pending;
  }
}
