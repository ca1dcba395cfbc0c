import type { Terminal } from "@xterm/xterm";

/** Characters per write. Long output is split, so that frames and keys are handled in between. */
const CHUNK = 4_096;
/** The first characters of a terminal are written in larger chunks, because a frame per small chunk takes longer. */
const INITIAL_CHUNK = 256 * 1_024;

/** Writes a program's output to a terminal in chunks. */
export class OutputWriter {
  readonly #terminal: Pick<Terminal, "write">;
  /** How many characters may still be written in larger chunks. */
  #initialCharacters = INITIAL_CHUNK;

  constructor(terminal: Pick<Terminal, "write">) {
    this.#terminal = terminal;
  }

  /** Resolves when the output has been parsed. */
  write(output: string): Promise<void> {
    const chunk = this.#initialCharacters > 0 ? INITIAL_CHUNK : CHUNK;
    this.#initialCharacters -= output.length;
    let start = 0;
    for (; start + chunk < output.length; start += chunk)
      this.#terminal.write(output.slice(start, start + chunk));
    return new Promise((resolve) => this.#terminal.write(output.slice(start), resolve));
  }

  /** From now on, writes small chunks only, so that typed keys are handled in between. */
  endInitial(): void {
    this.#initialCharacters = 0;
  }
}
