/** What a benchmark has started and made: ended, the last first, when it is over, fails or is interrupted. */
export class Scope {
  #ends: (() => unknown)[] = [];

  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Ends everything; one end that fails does not keep the others from being tried. May be called again. */
  async close(): Promise<void> {
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        process.stderr.write(`could not clean up: ${String(error)}\n`);
      }
    }
  }
}
