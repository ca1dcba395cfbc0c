import { writeFileSync } from "node:fs";

/**
 * A Vitest reporter that writes the errors outside of any test to a file, as `[{ message, stack }]`. They fail a run,
 * and Vitest's JSON reporter leaves them out.
 */
export class UnhandledErrors {
  #file;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
  }

  /** @type {NonNullable<import("vitest/node").Reporter["onTestRunEnd"]>} */
  onTestRunEnd(_modules, errors) {
    if (errors.length === 0) return;
    const written = errors.map(({ message, stack }) => ({ message, stack }));
    writeFileSync(this.#file, JSON.stringify(written));
  }
}
