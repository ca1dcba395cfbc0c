/// <reference path="./serializeAddon.d.ts" />
import { SerializeAddon } from "@xterm/addon-serialize/lib/addon-serialize.mjs";
import xterm from "@xterm/headless";
import { linesFrom } from "./lines";
import { currentWidths } from "./widths";

/** RIS, "reset to initial state". */
const RESET = "\x1bc";

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
  readonly #serializer = new SerializeAddon();
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
    this.#terminal.loadAddon(this.#serializer);
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

  /** Returns the lines on screen, in the same form as `lines`. */
  visible(): string[] {
    const { active } = this.#terminal.buffer;
    return linesFrom(active, active.baseY);
  }

  /**
   * Resolves with output that restores this screen in a reset terminal of the same size: screen, modes, cursor, and as
   * much scrollback as fits. It covers exactly what was written before the call. If the screen does not fit, the output
   * has only its last lines.
   */
  asOutput(maxLength: number): Promise<string> {
    // Within the callback: before the promise of `write` is handled, later output may be on the screen.
    return new Promise((resolve) => this.#terminal.write("", () => resolve(this.#serialize(maxLength))));
  }

  #serialize(maxLength: number): string {
    for (let scrollback = this.#scrollback; scrollback > 0; scrollback = Math.floor(scrollback / 2)) {
      const output = RESET + this.#serializer.serialize({ scrollback });
      if (output.length <= maxLength) return output;
    }
    return (
      RESET +
      this.visible()
        .join("\r\n")
        .slice(RESET.length - maxLength)
        .toWellFormed()
    );
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
