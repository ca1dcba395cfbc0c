import { setTimeout as sleep, setImmediate as untilRead } from "node:timers/promises";
import { sessionOutputLimits } from "@grove/schemas";
import type { Screen } from "@grove/terminal";

const MAX_LINES = 20;
const MAX_LENGTH = 4_000;
/** The most unprocessed characters: a program that prints faster than the screen processes is paused. */
const MAX_PENDING = 1024 * 1024;

/** Output takes less than this from the program's terminal to this process, also on a busy machine. */
const IN_FLIGHT_MS = 30;

/** A program that has printed nothing for this long has finished drawing. */
const SETTLED_MS = 300;

/** A program's output, which can be paused. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** The last lines of a session's terminal, for callers that read the session's state. */
export class Tail {
  #pending = 0;
  #printedAt = 0;
  /** The last lines, once the session has ended. */
  #lastLine: string | undefined;
  readonly #screen: Screen;
  readonly #flow: Flow;

  constructor(screen: Screen, flow: Flow) {
    this.#screen = screen;
    this.#flow = flow;
  }

  add(output: string): void {
    if (this.#lastLine !== undefined) return;
    this.#printedAt = performance.now();
    this.#pending += output.length;
    if (this.#pending > MAX_PENDING) this.#flow.pause();
    void this.#screen.write(output).then(() => {
      const wasPaused = this.#pending > MAX_PENDING;
      this.#pending -= output.length;
      if (wasPaused && this.#pending <= MAX_PENDING) this.#flow.resume();
    });
  }

  resize(columns: number, rows: number): void {
    if (this.#lastLine === undefined) this.#screen.resize(columns, rows);
  }

  /** Resolves once nothing has been printed for a moment from now on, or after `atMostMs`. */
  async settled(atMostMs: number, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      const settledAt = Math.max(startedAt, this.#printedAt) + SETTLED_MS;
      const remainingMs = Math.min(settledAt, startedAt + atMostMs) - performance.now();
      if (remainingMs <= 0 || this.#lastLine !== undefined) return;
      await sleep(remainingMs, undefined, { signal });
    }
  }

  /**
   * The lines on screen once everything that the program has written so far is on it, including what this process has
   * not received yet.
   */
  async upToDate(): Promise<string[]> {
    await sleep(IN_FLIGHT_MS);
    // The timer may be due before output that has already arrived is read.
    await untilRead();
    return this.visible();
  }

  /** The lines on screen once everything that was received so far is on it. */
  async visible(): Promise<string[]> {
    if (this.#lastLine !== undefined) return this.#lastLine.split("\n");
    await this.#screen.write("");
    // The session may have ended in the meantime.
    return (this.#lastLine as string | undefined)?.split("\n") ?? this.#screen.visible();
  }

  /** Output that makes another terminal show everything received so far; nothing once the session has ended. */
  async asOutput(): Promise<string> {
    return this.#lastLine === undefined ? this.#screen.asOutput(sessionOutputLimits.chunkLength) : "";
  }

  /** Whether the program has enabled bracketed paste. */
  get bracketedPaste(): boolean {
    return this.#lastLine === undefined && this.#screen.bracketedPaste;
  }

  /**
   * The last characters of the screen and of the lines that scrolled off it, or those before the last `offset` ones.
   * `truncated` reports whether there was more.
   */
  shown(length: number, offset = 0): { output: string; truncated: boolean } {
    const text = this.#lastLine ?? this.#screen.lines().join("\n");
    const end = Math.max(0, text.length - offset);
    return {
      output: text.slice(Math.max(0, end - length), end).toWellFormed(),
      truncated: text.length > offset + length || (this.#lastLine === undefined && this.#screen.hasLost),
    };
  }

  /** The last lines that are not blank; for a full-screen program, its screen's last lines. */
  lastLines(): string {
    if (this.#lastLine !== undefined) return this.#lastLine;
    const lines = this.#screen.lines().filter((line) => line !== "");
    return lines.slice(-MAX_LINES).join("\n").slice(-MAX_LENGTH).toWellFormed();
  }

  /** Waits until all output is shown, then keeps only the last lines. */
  async close(): Promise<void> {
    await this.#screen.write("");
    this.#lastLine = this.lastLines();
    this.#screen.close();
  }
}
