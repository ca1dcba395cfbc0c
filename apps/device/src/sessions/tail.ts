import { stripVTControlCharacters } from "node:util";

const KEPT_LENGTH = 16 * 1024;
const MAX_LINES = 20;
const MAX_LENGTH = 4_000;

/** The end of what a terminal was sent, for whoever asks what a session is at. */
export class Tail {
  #text = "";

  add(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT_LENGTH);
  }

  /**
   * The last lines as text: without colours and other control sequences, and of a line that was written over (progress
   * bars do that) what stands at its end. A full-screen program's are what it drew last, not its screen.
   */
  lastLines(): string {
    const lines = stripVTControlCharacters(this.#text)
      .split(/\r*\n/)
      .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1).trimEnd())
      .filter((line) => line !== "");
    return lines.slice(-MAX_LINES).join("\n").slice(-MAX_LENGTH).toWellFormed();
  }
}
