import xterm from "@xterm/headless";
import { linesFrom } from "./lines";
import { currentWidths } from "./widths";

export interface ScreenOptions {
  columns: number;
  rows: number;
  /** How many lines to keep after they have scrolled off the top. */
  scrollback: number;
  /** Sends the terminal's response to a program's query, such as what it is or where its cursor is. */
  onAnswer?: (answer: string) => void;
}

/**
 * A terminal screen without a display: it turns a program's output into the lines that a person would see. A line that
 * was overwritten appears once, in its last state; of a full-screen program only its screen remains. xterm.js does the
 * emulation.
 * @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */
export class Screen {
  readonly #terminal;
  readonly #scrollback: number;

  constructor({ columns, rows, scrollback, onAnswer }: ScreenOptions) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback,
      // xterm.js counts reading the lines as a proposed API.
      allowProposedApi: true,
      // xterm would log unknown sequences to stdout.
      logLevel: "off",
    });
    this.#terminal.unicode.register(currentWidths);
    this.#terminal.unicode.activeVersion = currentWidths.version;
    this.#scrollback = scrollback;
    if (onAnswer) this.#terminal.onData(onAnswer);
  }

  /** Resolves when the output is on the screen. At most 50 MB may be pending, so wait before writing more. */
  write(output: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(output, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /**
   * The scrollback, followed by the lines on screen. Colours, trailing blanks and trailing empty lines are dropped; a
   * line that was wrapped on screen is one line.
   */
  lines(): string[] {
    return linesFrom(this.#terminal.buffer.active, 0);
  }

  /** The lines on screen, in the same form. */
  visible(): string[] {
    const { active } = this.#terminal.buffer;
    return linesFrom(active, active.baseY);
  }

  /** Whether the program has enabled bracketed paste (mode 2004). */
  get bracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** Whether lines may have been dropped from the scrollback. */
  get hasLost(): boolean {
    const { active } = this.#terminal.buffer;
    return active.type === "normal" && active.length >= this.#terminal.rows + this.#scrollback;
  }

  /** Frees the terminal; do not use the screen afterwards. */
  close(): void {
    this.#terminal.dispose();
  }
}
