import xterm, { type IBufferLine } from "@xterm/headless";
import { currentWidths } from "./widths";

export interface ScreenOptions {
  columns: number;
  rows: number;
  /** How many lines to keep after they have scrolled off the top. */
  scrollback: number;
  /** Sends the terminal's answer to a program's query, such as what it is or where its cursor is. */
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
      // It would log unknown sequences to stdout.
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
    return this.#linesFrom(0);
  }

  /** The lines on screen, in the same form. */
  visible(): string[] {
    return this.#linesFrom(this.#terminal.buffer.active.baseY);
  }

  /** Whether the program has enabled bracketed paste (mode 2004). */
  get bracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  #linesFrom(first: number): string[] {
    const { active } = this.#terminal.buffer;
    const rows = Array.from(
      { length: active.length - first },
      (_, y) => active.getLine(first + y) as IBufferLine,
    );
    const lines: string[] = [];
    for (const [y, row] of rows.entries()) {
      const text = row.translateToString(!rows[y + 1]?.isWrapped);
      if (row.isWrapped && lines.length > 0) lines.push(lines.pop() + text);
      else lines.push(text);
    }
    const trimmed = lines.map((line) => line.trimEnd().toWellFormed());
    return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
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
