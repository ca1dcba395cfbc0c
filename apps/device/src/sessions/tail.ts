import { setTimeout as sleep } from "node:timers/promises";
import type { Screen } from "@grove/terminal";
import type { Flow } from "./flow";

const MAX_LINES = 20;
const MAX_LENGTH = 4_000;
/** A program that prints faster than the screen can process is held up at this many characters. */
const MAX_PENDING = 1024 * 1024;

/** A program that has printed nothing for this long has finished drawing. */
const SETTLED_MS = 300;

/** The last lines of a session's terminal, for callers that read the session's state. */
export class Tail {
  #pending = 0;
  #printedAt = 0;
  /** The last lines, once the session has ended. */
  #last: string | undefined;
  readonly #screen: Screen;
  readonly #flow: Flow;

  constructor(screen: Screen, flow: Flow) {
    this.#screen = screen;
    this.#flow = flow;
  }

  add(output: string): void {
    if (this.#last !== undefined) return;
    this.#printedAt = performance.now();
    this.#pending += output.length;
    if (this.#pending > MAX_PENDING) this.#flow.pause();
    void this.#screen.write(output).then(() => {
      this.#pending -= output.length;
      if (this.#pending <= MAX_PENDING) this.#flow.resume();
    });
  }

  resize(columns: number, rows: number): void {
    if (this.#last === undefined) this.#screen.resize(columns, rows);
  }

  /** Resolves once nothing has been printed for a moment from now on, or after `atMostMs`. */
  async settled(atMostMs: number, signal: AbortSignal): Promise<void> {
    const asked = performance.now();
    for (;;) {
      const settledAt = Math.max(asked, this.#printedAt) + SETTLED_MS;
      const left = Math.min(settledAt, asked + atMostMs) - performance.now();
      if (left <= 0 || this.#last !== undefined) return;
      await sleep(left, undefined, { signal });
    }
  }

  /** The lines on screen once everything that was printed so far is on it. */
  async visible(): Promise<string[]> {
    if (this.#last !== undefined) return this.#last.split("\n");
    await this.#screen.write("");
    // It may have ended meanwhile.
    return (this.#last as string | undefined)?.split("\n") ?? this.#screen.visible();
  }

  /** Whether the program has enabled bracketed paste. */
  get bracketedPaste(): boolean {
    return this.#last === undefined && this.#screen.bracketedPaste;
  }

  /**
   * The last characters of the screen and of the lines that scrolled off it, or those before the last `offset` ones.
   * `truncated` reports whether there was more.
   */
  shown(length: number, offset = 0): { output: string; truncated: boolean } {
    const text = this.#last ?? this.#screen.lines().join("\n");
    const end = Math.max(0, text.length - offset);
    return {
      output: text.slice(Math.max(0, end - length), end).toWellFormed(),
      truncated: text.length > offset + length || (this.#last === undefined && this.#screen.hasLost),
    };
  }

  /** The last lines that are not blank; for a full-screen program, those of its screen. */
  lastLines(): string {
    if (this.#last !== undefined) return this.#last;
    const lines = this.#screen.lines().filter((line) => line !== "");
    return lines.slice(-MAX_LINES).join("\n").slice(-MAX_LENGTH).toWellFormed();
  }

  /** Waits until all output is shown, then keeps only the last lines. */
  async close(): Promise<void> {
    await this.#screen.write("");
    this.#last = this.lastLines();
    this.#screen.close();
  }
}
