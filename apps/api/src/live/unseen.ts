import type { Change, Found } from "./state";

/** More changes that a watcher has not taken yet become one: that some were missed. */
const MOST = 1_000;

/** The changes that one watcher has not taken yet: of each thing the newest. */
export class Unseen {
  readonly #changes = new Map<string, Change>();
  readonly #onNews: () => void;
  #missed = false;

  /** @param onNews called when there is something to take */
  constructor(onNews: () => void) {
    this.#onNews = onNews;
  }

  add(found: readonly Found[]): void {
    for (const { key, change } of found) {
      // As the newest, so that a thing that changes all the time does not come before older changes of others.
      this.#changes.delete(key);
      this.#changes.set(key, change);
    }
    if (this.#changes.size > MOST) this.miss();
    else this.#onNews();
  }

  /** There was more than can be told. */
  miss(): void {
    this.#changes.clear();
    this.#missed = true;
    this.#onNews();
  }

  /** The changes since the last call. */
  take(): { changes: Change[]; missed: boolean } {
    const taken = { changes: [...this.#changes.values()], missed: this.#missed };
    this.#changes.clear();
    this.#missed = false;
    return taken;
  }
}
