/** A call that has not ended after this is counted no longer. The API answers the longest ones after half a minute. */
const LONGEST_MS = 60_000;

/** Lets only some calls wait for a device at the same time, in order of arrival. */
export class Turns {
  readonly #room: () => number;
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>();

  /** @param room how many calls there is room for now */
  constructor(room: () => number) {
    this.#room = room;
  }

  /** Calls `begin` when it is this call's turn. */
  ask(id: string, begin: () => void): void {
    this.#waiting.set(id, begin);
    this.fill();
  }

  /** The call has ended, or is not wanted any more. */
  end(id: string): void {
    this.#waiting.delete(id);
    clearTimeout(this.#running.get(id));
    this.#running.delete(id);
    this.fill();
  }

  /** Begins the calls that there is room for. */
  fill(): void {
    for (const [id, begin] of this.#waiting) {
      if (this.#running.size >= this.#room()) return;
      this.#waiting.delete(id);
      this.#running.set(
        id,
        setTimeout(() => this.end(id), LONGEST_MS),
      );
      begin();
    }
  }
}
