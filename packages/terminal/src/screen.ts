import xterm, { type IBufferLine } from "@xterm/headless";

export interface ScreenOptions {
  columns: number;
  rows: number;
  /** How many lines are kept of those that have left it at its top. */
  scrollback: number;
  /** Sends what a terminal answers when a program asks it something: what it is, where its cursor stands. */
  onAnswer?: (answer: string) => void;
}

/**
 * What a terminal shows of what a program prints. Lines stand as they were left, however often they were written over, and
 * of a full-screen program there is its screen. The emulation is that of xterm.js.
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
      // What it calls proposed is the reading of its lines.
      allowProposedApi: true,
      // It would say on stdout what it does not know.
      logLevel: "off",
    });
    this.#scrollback = scrollback;
    if (onAnswer) this.#terminal.onData(onAnswer);
  }

  /** Resolves when it shows. Of what does not show yet there may be 50 MB at most: wait before there is more. */
  write(output: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(output, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /**
   * The lines that it shows, and before them those that have left it. Without colours, blanks at a line's end and blank
   * lines at the end of all; a line that was too long for the screen is one.
   */
  lines(): string[] {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y) as IBufferLine);
    const lines: string[] = [];
    for (const [y, row] of rows.entries()) {
      const text = row.translateToString(!rows[y + 1]?.isWrapped);
      if (row.isWrapped && lines.length > 0) lines.push(lines.pop() + text);
      else lines.push(text);
    }
    const trimmed = lines.map((line) => line.trimEnd().toWellFormed());
    return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
  }

  /** Whether lines may have left it that are not kept any more. */
  get hasLost(): boolean {
    const { active } = this.#terminal.buffer;
    return active.type === "normal" && active.length >= this.#terminal.rows + this.#scrollback;
  }

  /** Lets go of it; nothing may be asked of it after that. */
  close(): void {
    this.#terminal.dispose();
  }
}
