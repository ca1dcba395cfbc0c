import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";

const LIMIT_BYTES = 4 * 1024 * 1024;

/** A log file and its predecessor (`.1`). Older lines are deleted. */
export class LogFile {
  #fd: number;
  #size: number;
  readonly path: string;
  readonly #limit: number;

  constructor(path: string, limit = LIMIT_BYTES) {
    this.path = path;
    this.#limit = limit;
    this.#fd = openSync(path, "a", 0o600);
    this.#size = fstatSync(this.#fd).size;
  }

  /** Never throws. With a full disk, the programs matter more than their logs. */
  write(line: string): void {
    try {
      if (this.#size >= this.#limit) this.#rotate();
      this.#size += writeSync(this.#fd, `${line}\n`);
    } catch {
      // The line is lost.
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #rotate(): void {
    renameSync(this.path, `${this.path}.1`);
    closeSync(this.#fd);
    this.#fd = openSync(this.path, "a", 0o600);
    this.#size = 0;
  }
}
