/** The processes and files of a benchmark, removed in reverse order when it ends, fails or is interrupted. */
export class Scope {
  #ends: (() => unknown)[] = [];

  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Ends everything, even if one end fails. May be called again. */
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
